import type { UnusableCollection } from "../status/collection.ts";
import type { Estimate, Share } from "../sweep/estimate.ts";

/** A part of the daily mail besides the figures. */
export interface DailyNote {
  heading: string;
  lines: string[];
}

export interface CollectionEstimate {
  collectionId: string;
  title: string;
  estimate: Estimate;
}

const trends: Record<Estimate["trend"], string> = {
  rising: "rising beyond doubt",
  falling: "falling beyond doubt",
  unclear: "no clear trend",
};

/** How many links are dead in each collection of which some were judged, the rising first; nothing where there are none. */
export function estimateNotes(estimates: CollectionEstimate[]): DailyNote[] {
  const judged = estimates.filter(({ estimate }) => estimate.now.judged > 0);
  const isRising = ({ estimate }: CollectionEstimate) => Number(estimate.trend === "rising");
  const lines = judged.sort((a, b) => isRising(b) - isRising(a)).map(describeEstimate);
  return lines.length === 0 ? [] : [{ heading: "Dead links, estimated by random samples", lines }];
}

/** What is not checked, and why. */
export function unusableNotes(unusable: UnusableCollection[]): DailyNote[] {
  const lines = unusable.map(({ collectionId, problem }) => `${collectionId}: ${problem}`);
  return lines.length === 0
    ? []
    : [{ heading: "Not checked, as the collection's configuration is not valid", lines }];
}

function describeEstimate({ title, estimate: { now, before, trend } }: CollectionEstimate): string {
  const earlier = before.judged === 0 ? "" : `; from ${before.from} to ${before.to} ${describeShare(before)}`;
  return `${title}: ${describeShare(now)} from ${now.from} to ${now.to}, ${trends[trend]}${earlier}`;
}

function describeShare({ share = 0, low, high, judged }: Share): string {
  return `${percent(share)} (95 % interval ${percent(low)} to ${percent(high)}) of ${judged}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

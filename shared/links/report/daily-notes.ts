import { pluralize } from "../../core/pluralize.ts";
import type { OverbookedHost } from "../capacity/busy-hosts.ts";
import type { UnusableCollection } from "../status/collection.ts";
import type { CollectionChange, LinkChange } from "../status/statistics.ts";
import type { Estimate, Share } from "../sweep/estimate.ts";
import { describeRefusals } from "./describe-refusals.ts";

/** A section of the daily mail in addition to the figures. */
export interface DailyNote {
  heading: string;
  lines: string[];
}

export interface CollectionEstimate {
  collectionId: string;
  title: string;
  estimate: Estimate;
}

/** The maximum number of overbooked hosts that the mail names. */
const maxOverbooked = 20;

const trends: Record<Estimate["trend"], string> = {
  rising: "significantly rising",
  falling: "significantly falling",
  unclear: "no clear trend",
};

/** Lists the estimated share of dead links of each collection with judged samples. Rising shares come first. */
export function estimateNotes(estimates: CollectionEstimate[]): DailyNote[] {
  const judged = estimates.filter(({ estimate }) => estimate.now.judged > 0);
  const isRising = ({ estimate }: CollectionEstimate) => Number(estimate.trend === "rising");
  const lines = judged.sort((a, b) => isRising(b) - isRising(a)).map(describeEstimate);
  return lines.length === 0 ? [] : [{ heading: "Dead links, estimated by random samples", lines }];
}

/**
 * Lists the hosts that refuse our requests, each with the number of its links. Hosts with the most links come first.
 * Operators can ask a host for permission, or name its statuses in a rule.
 */
export function refusalNotes(changes: (LinkChange | CollectionChange)[]): DailyNote[] {
  const lines = describeRefusals(
    changes.flatMap((each) => (each.change === "refused" ? (each.host ?? []) : [])),
  );
  return lines.length === 0 ? [] : [{ heading: "Hosts that refuse our requests", lines }];
}

/** Lists the hosts whose checks need more time than there is between two sweeps. */
export function overbookingNotes(hosts: readonly OverbookedHost[]): DailyNote[] {
  const lines = hosts
    .slice(0, maxOverbooked)
    .map(
      ({ hostKey, neededHours, everyHours, collections }) =>
        `${hostKey}: its checks need ${neededHours} h of every ${everyHours} h; its ${pluralize(collections, "collection")} take turns`,
    );
  return lines.length === 0 ? [] : [{ heading: "Hosts without enough time for their checks", lines }];
}

/** Lists the collections that are not checked because they are invalid. */
export function unusableNotes(unusable: UnusableCollection[]): DailyNote[] {
  const lines = unusable.map(({ collectionId, problem }) => `${collectionId}: ${problem}`);
  return lines.length === 0
    ? []
    : [{ heading: "Not checked: the configuration of the collection is invalid", lines }];
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

import { sumOfCounts } from "./known.ts";
import type { SourceOutcome } from "./run.ts";

/** Of what a source lists in vain; an outcome is one item of at most 400 KB. */
const droppedKept = 100;

/** Of many reasons the first ones, and how many more there are. */
export function shortened(dropped: SourceOutcome["dropped"]): SourceOutcome["dropped"] {
  if (dropped.length <= droppedKept) return dropped;
  const rest = { entry: `${dropped.length - droppedKept} more entries`, reason: "not asked for either" };
  return [...dropped.slice(0, droppedKept), rest];
}

/**
 * How the sources of a run fared, by what each of their listings has led to: a feed, a crawled page, a start. A source has
 * failed when nothing of it could be read that lists articles.
 */
export function mergeOutcomes(listings: readonly SourceOutcome[]): SourceOutcome[] {
  return [...Map.groupBy(listings, ({ sourceId }) => sourceId).values()].map(mergeSource);
}

function mergeSource(listings: SourceOutcome[]): SourceOutcome {
  const [first] = listings as [SourceOutcome, ...SourceOutcome[]];
  if (listings.length === 1) return first;
  const sum = (count: (listing: SourceOutcome) => number) =>
    listings.reduce((total, listing) => total + count(listing), 0);
  const reasons = [...new Set(listings.flatMap(({ reason }) => reason ?? []))];
  const [reason] = reasons;
  const lists = listings.filter(({ isPreparatory }) => isPreparatory !== true);
  const telling = lists.length > 0 ? lists : listings;
  return {
    sourceId: first.sourceId,
    title: first.title,
    state: telling.every(({ state }) => state === "failed") ? "failed" : "read",
    ...(reason !== undefined && {
      reason:
        reasons.length === 1
          ? reason
          : `${reason} (and ${reasons.length - 1} more of ${listings.length} pages)`,
    }),
    entries: sum(({ entries }) => entries),
    known: sumOfCounts(listings.map(({ known }) => known)),
    requested: sum(({ requested }) => requested),
    dropped: shortened(listings.flatMap(({ dropped }) => dropped)),
  };
}

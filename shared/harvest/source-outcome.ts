import { counted } from "../core/counted.ts";
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
  const sum = (count: (listing: SourceOutcome) => number) =>
    listings.reduce((total, listing) => total + count(listing), 0);
  const lists = listings.filter(({ isPreparatory }) => isPreparatory !== true);
  const telling = lists.length > 0 ? lists : listings;
  const entries = sum((listing) => listing.entries);
  const empty = entries === 0 ? telling.filter(({ nothing }) => nothing !== undefined) : [];
  const hasFailed =
    telling.every(({ state }) => state === "failed") || (empty.length > 0 && empty.length === telling.length);
  const reasons = [...reasonsOf(listings), ...emptinessOf(empty), ...limitsOf(listings)];
  return {
    sourceId: first.sourceId,
    title: first.title,
    state: hasFailed ? "failed" : "read",
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
    entries,
    known: sumOfCounts(listings.map(({ known }) => known)),
    requested: sum(({ requested }) => requested),
    dropped: shortened(listings.flatMap(({ dropped }) => dropped)),
  };
}

/** What was told of the listings: the first that was, and on how many of them there is something else. */
function reasonsOf(listings: SourceOutcome[]): string[] {
  const told = listings.flatMap(({ reason }) => reason ?? []);
  const [reason] = told;
  if (reason === undefined) return [];
  const others = told.filter((one) => one !== reason).length;
  return others === 0 ? [reason] : [`${reason} (and something else of ${counted(others, "other page")})`];
}

/** @param empty the listings without articles, of a source that has listed none */
function emptinessOf(empty: SourceOutcome[]): string[] {
  const [first] = empty;
  return first === undefined ? [] : [`no link of ${counted(empty.length, "page")} ${first.nothing}`];
}

function limitsOf(listings: SourceOutcome[]): string[] {
  const all = listings.flatMap(({ unfollowed = {} }) => Object.entries(unfollowed));
  return [...Map.groupBy(all, ([limit]) => limit)].map(([limit, given]) => {
    const links = given.reduce((total, [, count]) => total + count, 0);
    return `${limit}: ${counted(links, "link")} to further pages not followed`;
  });
}

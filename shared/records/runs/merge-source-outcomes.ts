import { pluralize } from "../../core/pluralize.ts";
import { sumKnownCounts } from "../archive/known-reason.ts";
import type { SourceOutcome } from "./run.ts";
import { truncateDropped } from "./shorten-outcome.ts";

/**
 * Returns the outcome of each source of a run, merged from the outcomes of its listings: feeds, crawled pages, and the
 * start of the source. A source has failed when none of its listings of articles could be read.
 */
export function mergeSourceOutcomes(listingOutcomes: readonly SourceOutcome[]): SourceOutcome[] {
  return [...Map.groupBy(listingOutcomes, ({ sourceId }) => sourceId).values()].map(mergeSource);
}

function mergeSource(listings: SourceOutcome[]): SourceOutcome {
  const [first] = listings as [SourceOutcome, ...SourceOutcome[]];
  const sum = (count: (listing: SourceOutcome) => number) =>
    listings.reduce((total, listing) => total + count(listing), 0);
  const lists = listings.filter(({ isPreparatory }) => isPreparatory !== true);
  const articleLists = lists.length > 0 ? lists : listings;
  const entries = sum((listing) => listing.entries);
  const empty = entries === 0 ? articleLists.filter(({ emptyReason }) => emptyReason !== undefined) : [];
  const hasFailed =
    articleLists.every(({ state }) => state === "failed") ||
    (empty.length > 0 && empty.length === articleLists.length);
  const reasons = [
    ...describeReasons(listings),
    ...describeEmptyListings(empty),
    ...describeLimits(listings),
  ];
  return {
    sourceId: first.sourceId,
    title: first.title,
    state: hasFailed ? "failed" : "read",
    ...(reasons.length > 0 && { reason: reasons.join("; ") }),
    ...(articleLists.every(({ isUnreachable }) => isUnreachable === true) && { isUnreachable: true }),
    entries,
    known: sumKnownCounts(listings.map(({ known }) => known)),
    requested: sum(({ requested }) => requested),
    dropped: truncateDropped(listings.flatMap(({ dropped }) => dropped)),
  };
}

/** Describes the first reason of the listings, and the number of listings with other reasons. */
function describeReasons(listings: SourceOutcome[]): string[] {
  const reasons = listings.flatMap(({ reason }) => reason ?? []);
  const [reason] = reasons;
  if (reason === undefined) return [];
  const others = reasons.filter((one) => one !== reason).length;
  return others === 0 ? [reason] : [`${reason} (and something else of ${pluralize(others, "other page")})`];
}

/**
 * Describes the empty listings of a source that has not listed any article.
 * @param empty the listings without articles
 */
function describeEmptyListings(empty: SourceOutcome[]): string[] {
  const [first] = empty;
  return first === undefined ? [] : [`no link of ${pluralize(empty.length, "page")} ${first.emptyReason}`];
}

function describeLimits(listings: SourceOutcome[]): string[] {
  const all = listings.flatMap(({ unfollowed = {} }) => Object.entries(unfollowed));
  return [...Map.groupBy(all, ([limit]) => limit)].map(([limit, given]) => {
    const links = given.reduce((total, [, count]) => total + count, 0);
    return `${limit}: ${pluralize(links, "link")} to further pages not followed`;
  });
}

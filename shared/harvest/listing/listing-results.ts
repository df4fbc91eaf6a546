import type { ListingResult } from "../../runs/listing-result.ts";
import { failedSourceOutcome } from "../../runs/run.ts";

/** A listing that names no articles. */
export function emptyListingResult({ sourceId, title }: { sourceId: string; title: string }): ListingResult {
  const outcome = {
    sourceId,
    title,
    state: "read" as const,
    entries: 0,
    known: {},
    requested: 0,
    dropped: [],
  };
  return { outcome, articleRequests: [], listingRequests: [] };
}

/** A listing that could not be read. */
export function failedListingResult(
  { sourceId, title }: { sourceId: string; title: string },
  reason: string,
): ListingResult {
  return {
    outcome: failedSourceOutcome({ sourceId, title }, reason),
    articleRequests: [],
    listingRequests: [],
  };
}

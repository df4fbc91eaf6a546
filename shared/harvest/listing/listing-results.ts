import type { ListingResult } from "../../runs/listing-result.ts";
import { failedSourceOutcome } from "../../runs/run.ts";

/** The result of a listing without articles. */
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

/** The result of a listing that could not be read. */
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

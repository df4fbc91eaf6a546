import type { ListingResult } from "../../records/runs/listing-result.ts";
import { failedSourceOutcome } from "../../records/runs/run.ts";
import type { ResponseOutcome } from "../../web/request/response.ts";

/** Returns the result of a listing without articles. */
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

/**
 * Returns the result of a listing that could not be read.
 * @param outcome the response to its request, if that is the reason. A missing response means that the host or our own
 * network is down
 */
export function failedListingResult(
  source: { sourceId: string; title: string },
  reason: string,
  outcome?: ResponseOutcome,
): ListingResult {
  return {
    outcome: failedSourceOutcome(source, reason, { isUnreachable: outcome?.type === "failed" }),
    articleRequests: [],
    listingRequests: [],
  };
}

import type { NewRequest } from "../web/gate/request.ts";
import type { SourceOutcome } from "./run.ts";

/** What a listing, as a feed or a crawled page, has led to. */
export interface ListingResult {
  outcome: SourceOutcome;
  articleRequests: NewRequest[];
  /** Further listings. */
  listingRequests: NewRequest[];
}

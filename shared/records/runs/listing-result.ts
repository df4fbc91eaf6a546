import type { NewRequest } from "../../web/request/request.ts";
import type { DocumentOutcome, SourceOutcome } from "./run.ts";

/** What a listing has led to: a feed, a crawled page, or a page of a list that carries its documents' metadata. */
export interface ListingResult {
  outcome: SourceOutcome;
  articleRequests: NewRequest[];
  /** Further listings. */
  listingRequests: NewRequest[];
  /** The outcomes of entries that need no request of their own, as the list carries their metadata. */
  resolved?: DocumentOutcome[];
  /**
   * The next page of a list whose pages are read one after the other. The list counts as one request, open until the page
   * that has no next one: its tally does not grow with its pages.
   */
  nextPage?: NewRequest;
}

import type { NewRequest } from "../../web/request/request.ts";
import type { DocumentOutcome, SourceOutcome } from "./run.ts";

/**
 * The results of a listing. A listing is a feed, a crawled page, or a page of a list that contains the metadata of its
 * documents.
 */
export interface ListingResult {
  outcome: SourceOutcome;
  articleRequests: NewRequest[];
  /** Requests of further listings. */
  listingRequests: NewRequest[];
  /** The outcomes of entries that need no separate request, because the list contains their metadata. */
  resolved?: DocumentOutcome[];
  /**
   * The next page of a list whose pages are read one after the other. The whole list counts as one request, which is
   * open until the last page. Therefore its tally does not grow with the number of pages.
   */
  nextPage?: NewRequest;
}

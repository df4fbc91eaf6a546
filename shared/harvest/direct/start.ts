import { entryFromUrl } from "../listing/article-requests.ts";
import { finishListing } from "../listing/finish-listing.ts";
import { selectArticles } from "../listing/select-articles.ts";
import { openInTally, type StartSource } from "../listing/start-listings.ts";

/**
 * DIRECT: requests one page as an article. If the page is a list, the translation server offers choices, or
 * `page-links.ts` reads the links. `article/read-article-response.ts` reads the response.
 */
export const startPage: StartSource = async (source, { run, requestPolicy, listingId }, ports) => {
  const { sourceId, title, url } = source;
  const { runId } = run;
  await openInTally(runId, sourceId, [listingId], ports);
  const list = async () => {
    const context = { run, sourceId, title, listingId, requestPolicy, isListing: true };
    const listing = await selectArticles([entryFromUrl(url)], context, ports);
    const transport = { returnsChoices: true };
    return {
      ...listing,
      articleRequests: listing.articleRequests.map((request) => ({ ...request, transport })),
    };
  };
  await finishListing(list, { run, receivedBy: runId, runId, sourceId, id: listingId }, ports);
  return { type: "started" };
};

import { digest } from "../../core/digest.ts";
import { entryFromUrl } from "../listing/article-requests.ts";
import { emptyListingResult } from "../listing/listing-results.ts";
import { openInTally, type StartSource } from "../listing/start-listings.ts";

/**
 * APIQUERY: the translation server searches for the journal by its online ISSN. The request waits in the queue of the
 * journal's host. `article/read-article-response.ts` reads the response.
 */
export const startSearch: StartSource = async (source, { run, requestPolicy, listingId }, ports) => {
  const { sourceId, url, online } = source;
  const { runId } = run;
  if (online?.issn === undefined) {
    return { type: "problem", problem: "a source of type APIQUERY needs an online ISSN to search for" };
  }
  const id = digest(runId, sourceId, "search", online.issn);
  const outcome = { ...emptyListingResult(source).outcome, entries: 1, requested: 1 };
  await ports.runs.saveListingOutcome(runId, listingId, outcome);
  await openInTally(runId, sourceId, [id], ports);
  await ports.requests.send([
    {
      id,
      kind: "article",
      url,
      ...requestPolicy,
      transport: { search: online.issn, returnsChoices: true },
      context: { runId, sourceId, entry: entryFromUrl(url) },
    },
  ]);
  return { type: "started" };
};

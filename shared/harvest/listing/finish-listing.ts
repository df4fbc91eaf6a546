import { inParallel } from "../../core/in-parallel.ts";
import { closeRequest, openPart, type RunContext } from "../../runs/completion.ts";
import type { ListingResult } from "../../runs/listing-result.ts";
import { truncateDropped } from "../../runs/merge-source-outcomes.ts";
import type { Run } from "../../runs/run.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import type { ListingPorts } from "./select-articles.ts";

/** Of the parts that a listing's articles are counted in. */
export const partsAtOnce = 8;

/**
 * Settles what a listing leads to, notes it in its run and sends it. Who repeats this goes on from what was settled: the
 * archive, the clock and the run's other listings may by then lead to something else, and what was noted would not be sent.
 */
export async function finishListing(
  list: () => Promise<ListingResult>,
  request: RunContext & { id: string; run: Run },
  ports: ListingPorts,
): Promise<void> {
  const { runId, sourceId, id, run } = request;
  const settled = await ports.runs.listingResult(runId, sourceId, id);
  const listing = settled ?? (await storeResult(await list(), { runId, id }, ports));
  const { articleRequests, resolved = [] } = listing;
  if (resolved.length > 0) {
    await ports.runs.saveArticlePage(runId, { sourceId, listingId: id, outcomes: resolved });
  }
  const hasEnough = articleRequests.length + resolved.length >= (run.newest ?? Number.POSITIVE_INFINITY);
  const pages = hasEnough ? [] : listing.listingRequests;
  const next = hasEnough || listing.nextPage === undefined ? [] : [countedAs(listing.nextPage, request)];
  const parts = Map.groupBy(articleRequests, ({ context }) => String(context?.part));
  const idsOf = (requests: NewRequest[]) => requests.map((each) => each.id);
  await inParallel([...parts], partsAtOnce, ([part, requests]) =>
    openPart({ runId, sourceId, part, opened: idsOf(requests) }, ports),
  );
  const opened = [...idsOf(pages), ...parts.keys()];
  await closeRequest({ ...request, opened, isContinued: next.length > 0 }, ports);
  await ports.requests.send([...next, ...pages, ...articleRequests]);
}

/** The next page of a list, counted as the list. */
function countedAs(page: NewRequest, { id, listId = id, part }: RunContext & { id: string }): NewRequest {
  return { ...page, context: { ...page.context, listId, ...(part !== undefined && { part }) } };
}

export function storeResult(
  listing: ListingResult,
  { runId, id }: { runId: string; id: string },
  { runs }: Pick<ListingPorts, "runs">,
): Promise<ListingResult> {
  const { outcome } = listing;
  const storedOutcome = { ...outcome, dropped: truncateDropped(outcome.dropped) };
  return runs.storeListingResult(runId, id, { ...listing, outcome: storedOutcome });
}

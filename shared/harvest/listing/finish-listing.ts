import { inParallel } from "../../core/in-parallel.ts";
import { closeRequest, openPart, type RunContext } from "../../records/runs/completion.ts";
import { saveToReceiver } from "../../records/runs/late-harvest.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Run } from "../../records/runs/run.ts";
import { shortenSourceOutcome } from "../../records/runs/shorten-outcome.ts";
import type { NewRequest } from "../../web/request/request.ts";
import type { ListingPorts } from "./select-articles.ts";

/** The number of tally parts that are opened at the same time. */
const maxParallelParts = 8;

/**
 * Stores the result of a listing, opens its requests in the tallies, closes the listing's own request, and sends the
 * new requests. Repeatable: a repetition uses the stored result. A result that was computed again could differ, because
 * the archive, the clock and the run's other listings have changed. Requests that had already been opened would then
 * never be sent.
 * @param list computes the result when none is stored
 * @param request.receivedBy the run or late harvest that receives the outcomes
 */
export async function finishListing(
  list: () => Promise<ListingResult>,
  request: RunContext & { id: string; run: Run; receivedBy: string },
  ports: ListingPorts,
): Promise<void> {
  const { runId, sourceId, id, run, receivedBy } = request;
  const stored = await ports.runs.listingResult(runId, sourceId, id);
  const listing = stored ?? (await storeResult(await list(), { runId, id }, ports));
  const { articleRequests, resolved = [] } = listing;
  if (resolved.length > 0) {
    const batch = { sourceId, listingId: id, outcomes: resolved };
    const save = (receiver: string) => ports.runs.saveOutcomeBatch(receiver, batch);
    await saveToReceiver({ runId, receivedBy }, save, ports.runs);
  }
  // A preview needs no further listing once it has its newest articles.
  const hasEnough = articleRequests.length + resolved.length >= (run.newest ?? Number.POSITIVE_INFINITY);
  const furtherListings = hasEnough ? [] : listing.listingRequests;
  const nextPage = hasEnough || listing.nextPage === undefined ? [] : [inTallyOf(request, listing.nextPage)];
  const parts = Map.groupBy(articleRequests, ({ context }) => String(context?.part));
  const idsOf = (requests: NewRequest[]) => requests.map((each) => each.id);
  await inParallel([...parts], maxParallelParts, ([part, requests]) =>
    openPart({ runId, sourceId, part, opened: idsOf(requests) }, ports),
  );
  const opened = [...idsOf(furtherListings), ...parts.keys()];
  await closeRequest({ ...request, opened, isContinued: nextPage.length > 0 }, ports);
  await ports.requests.send([...nextPage, ...furtherListings, ...articleRequests]);
}

/**
 * Builds the request for the next page of a listing, which is counted under the id and in the tally of the first page.
 */
function inTallyOf({ id, listId = id, part }: RunContext & { id: string }, page: NewRequest): NewRequest {
  return { ...page, context: { ...page.context, listId, ...(part !== undefined && { part }) } };
}

function storeResult(
  listing: ListingResult,
  { runId, id }: { runId: string; id: string },
  { runs }: Pick<ListingPorts, "runs">,
): Promise<ListingResult> {
  return runs.storeListingResult(runId, id, { ...listing, outcome: shortenSourceOutcome(listing.outcome) });
}

import type { BodyStore } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { NewRequest, OutboundRequest } from "../web/gate/request.ts";
import { describeMiss, type InboundResponse, isFound } from "../web/gate/response.ts";
import { type Manners, mannersOf } from "./article-requests.ts";
import { contextOf } from "./completion.ts";
import { mostPages, pagesCounted } from "./feed/pages.ts";
import { readFeed } from "./feed/read-feed.ts";
import { type FeedContext, feedContext, feedRequest } from "./feed-requests.ts";
import { emptyListing, failedListing, type Listing, type ListingContext, listArticles } from "./listing.ts";
import { type ListingFrame, type ReadListingPorts, readListing } from "./read-listing.ts";

export interface ReadFeedPorts extends ReadListingPorts {
  bodies: BodyStore;
}

/**
 * Reads the answer to a request for a feed, or for a page of one: asks for the page of each entry that was not delivered
 * before, and notes how the source fared.
 */
export async function readFeedResponse(response: InboundResponse, ports: ReadFeedPorts): Promise<void> {
  const { request } = response;
  const context = contextOf(request, feedContext);
  const read = async (source: Source, frame: ListingFrame) => {
    const from = { ...frame, manners: mannersBeyond(request, source) };
    if (context.page === "count") return listPages(response, from, { source, ports });
    const listing = await listEntries(response, from, ports);
    return { ...listing, pages: nextPage(listing, context, { source, from }) };
  };
  await readListing({ ...context, id: request.id }, read, ports);
}

/** The wait between two pages of a feed is none between its articles. */
function mannersBeyond(request: OutboundRequest, source: Source): Manners {
  const { throttleMs, ...manners } = mannersOf(request);
  return mannersOf({ ...manners, throttleMs: source.pagedRss ? source.throttleMs : throttleMs });
}

interface Of {
  source: Source;
  from: ListingContext;
}

/** The pages of a feed that says how many it has; of one that does not, the first, to go on from there. */
async function listPages(
  { outcome }: InboundResponse,
  from: ListingContext,
  { source, ports }: { source: Source; ports: ReadFeedPorts },
): Promise<Listing> {
  const bodyKey = isFound(outcome) ? outcome.bodyKey : undefined;
  const pages = bodyKey && pagesCounted(new TextDecoder().decode(await ports.bodies.body(bodyKey)));
  const at = { runId: from.run.runId, manners: mannersOf(from.manners) };
  const numbered = pages ? pages.map((page) => ({ page })) : [{ page: 1, isOpenEnded: true }];
  const ofCount = { ...emptyListing(from).outcome, isPreparatory: true as const };
  return { outcome: ofCount, articles: [], pages: numbered.map((paging) => feedRequest(source, paging, at)) };
}

/** The page after one with anything new, where nobody knows how many there are. */
function nextPage(
  { outcome }: Listing,
  { page, isOpenEnded }: FeedContext,
  { source, from: { run, manners } }: Of,
): NewRequest[] {
  if (isOpenEnded !== true || typeof page !== "number" || page >= mostPages || outcome.requested === 0)
    return [];
  return [feedRequest(source, { page: page + 1, isOpenEnded }, { runId: run.runId, manners })];
}

async function listEntries(
  { outcome }: InboundResponse,
  context: ListingContext,
  ports: ReadFeedPorts,
): Promise<Listing> {
  if (!isFound(outcome)) return failedListing(context, describeMiss(outcome));
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await ports.bodies.body(outcome.bodyKey);
  const contentType = outcome.headers["content-type"];
  const feed = readFeed(bytes, { url: outcome.url, ...(contentType !== undefined && { contentType }) });
  if (feed.type === "not-a-feed") {
    return failedListing(context, `${outcome.url} is no feed (${feed.reason}): ${feed.detail}`);
  }

  const listing = await listArticles(feed.entries, context, ports);
  const unusable = feed.dropped.map(({ index, reason }) => ({ entry: `entry ${index + 1}`, reason }));
  return {
    ...listing,
    outcome: {
      ...listing.outcome,
      ...(feed.lenient && { reason: `read leniently: ${feed.strictProblem ?? "not well-formed"}` }),
      entries: listing.outcome.entries + feed.dropped.length,
      dropped: [...unusable, ...listing.outcome.dropped],
    },
  };
}

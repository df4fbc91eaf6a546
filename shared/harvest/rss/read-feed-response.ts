import type { Feed } from "../../formats/feed/feed-result.ts";
import { parseFeed } from "../../formats/feed/parse-feed.ts";
import { parseContext } from "../../records/runs/completion.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Source } from "../../records/sources/source.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { NewRequest, OutboundRequest } from "../../web/request/request.ts";
import { describeUnusableOutcome, type InboundResponse, isUsableAnswer } from "../../web/request/response.ts";
import { emptyListingResult, failedListingResult } from "../listing/listing-results.ts";
import {
  type BaseListingContext,
  type ProcessListingPorts,
  processListing,
} from "../listing/process-listing.ts";
import { type ListingContext, selectArticles } from "../listing/select-articles.ts";
import { loadBody } from "../load-body.ts";
import { pickRequestPolicy, type RequestPolicy } from "../request-policy.ts";
import { maxPages, parsePageNumbers } from "./feed-pagination.ts";
import { buildFeedRequest, type FeedContext, feedContext } from "./feed-requests.ts";

/** The maximum length of a title in reports and mails. */
const maxTitleLength = 300;

interface ReadFeedPorts extends ProcessListingPorts {
  bodies: BodyReader;
}

/**
 * Reads the response to a feed request. Stores the outcome, and requests each article that the archive does not
 * contain.
 */
export async function readFeedResponse(response: InboundResponse, ports: ReadFeedPorts): Promise<void> {
  const { request } = response;
  const context = parseContext(request, feedContext);
  const read = async (source: Source, frame: BaseListingContext) => {
    const from = { ...frame, requestPolicy: articleRequestPolicy(request, source) };
    if (context.page === "count") return buildPageRequests(response, from, { source, ports });
    const listing = await selectFeedArticles(response, from, ports);
    return { ...listing, listingRequests: buildNextPageRequest(listing, context, { source, from }) };
  };
  await processListing({ ...context, id: request.id }, read, ports);
}

/** Returns the policy of article requests, to which the delay between two pages of a feed does not apply. */
function articleRequestPolicy(request: OutboundRequest, source: Source): RequestPolicy {
  const { throttleMs, ...requestPolicy } = pickRequestPolicy(request);
  return pickRequestPolicy({
    ...requestPolicy,
    throttleMs: source.pagedRss ? source.throttleMs : throttleMs,
  });
}

interface FeedListing {
  source: Source;
  from: ListingContext;
}

/** Requests all pages when the feed states its page count; otherwise requests the first page, open-ended. */
async function buildPageRequests(
  { outcome }: InboundResponse,
  from: ListingContext,
  { source, ports }: { source: Source; ports: ReadFeedPorts },
): Promise<ListingResult> {
  const body = isUsableAnswer(outcome) ? await loadBody(outcome, ports.bodies) : new Uint8Array();
  const pages = parsePageNumbers(new TextDecoder().decode(body));
  const target = { runId: from.run.runId, requestPolicy: pickRequestPolicy(from.requestPolicy) };
  const pagings = pages ? pages.map((page) => ({ page })) : [{ page: 1, isOpenEnded: true }];
  const result = emptyListingResult(from);
  return {
    ...result,
    outcome: { ...result.outcome, isPreparatory: true },
    listingRequests: pagings.map((paging) => buildFeedRequest(source, paging, target)),
  };
}

/** Requests the next page of an open-ended feed if this page had new articles. */
function buildNextPageRequest(
  { outcome }: ListingResult,
  { page, isOpenEnded }: FeedContext,
  { source, from: { run, requestPolicy } }: FeedListing,
): NewRequest[] {
  if (isOpenEnded !== true || typeof page !== "number" || page >= maxPages || outcome.requested === 0)
    return [];
  return [buildFeedRequest(source, { page: page + 1, isOpenEnded }, { runId: run.runId, requestPolicy })];
}

async function selectFeedArticles(
  { outcome }: InboundResponse,
  context: ListingContext,
  ports: ReadFeedPorts,
): Promise<ListingResult> {
  if (!isUsableAnswer(outcome))
    return failedListingResult(context, describeUnusableOutcome(outcome), outcome);
  const bytes = await loadBody(outcome, ports.bodies);
  const contentType = outcome.headers["content-type"];
  const feed = parseFeed(bytes, { url: outcome.url, ...(contentType !== undefined && { contentType }) });
  if (feed.type === "not-a-feed") {
    return failedListingResult(context, `${outcome.url} is not a feed (${feed.reason}): ${feed.detail}`);
  }

  const listing = await selectArticles(feed.entries, context, ports);
  const unusable = feed.dropped.map(({ index, reason }) => ({ entry: `entry ${index + 1}`, reason }));
  return {
    ...listing,
    outcome: {
      ...listing.outcome,
      title: titleOf(context, feed),
      ...(feed.lenient && { reason: `read leniently: ${feed.strictProblem ?? "not well-formed"}` }),
      entries: listing.outcome.entries + feed.dropped.length,
      dropped: [...unusable, ...listing.outcome.dropped],
    },
  };
}

/**
 * Returns the title of a source. A source without a title has its URL as title; the feed's own title is then more
 * informative.
 */
function titleOf({ title }: Pick<ListingContext, "title">, feed: Pick<Feed, "title">): string {
  const own = feed.title?.replace(/\s+/g, " ").trim().slice(0, maxTitleLength) ?? "";
  return own !== "" && /^https?:\/\//.test(title) ? own : title;
}

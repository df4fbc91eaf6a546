import type { Clock } from "../../core/clock.ts";
import { parseContext } from "../../records/runs/completion.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Source } from "../../records/sources/source.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { entryFromUrl } from "../listing/article-requests.ts";
import { emptyListingResult, failedListingResult } from "../listing/listing-results.ts";
import {
  type BaseListingContext,
  type ProcessListingPorts,
  processListing,
} from "../listing/process-listing.ts";
import { type ListingContext, selectArticles } from "../listing/select-articles.ts";
import { loadBody } from "../load-body.ts";
import { pickRequestPolicy } from "../request-policy.ts";
import { buildNextRequests, type CrawlContext, crawlContext, timeLimitReason } from "./crawl-requests.ts";
import { type CrawlResult, readCrawlAnswer } from "./crawl-result.ts";

interface ReadCrawledPagePorts extends ProcessListingPorts {
  bodies: BodyReader;
  clock: Clock;
}

/** Reads the response to a crawl request. Requests the articles that the page links to, and the next pages. */
export async function readCrawledPageResponse(
  response: InboundResponse,
  ports: ReadCrawledPagePorts,
): Promise<void> {
  const { request } = response;
  const context = parseContext(request, crawlContext);
  const read = async (source: Source, frame: BaseListingContext) => {
    const found = await findPageLinks(response, { source, context }, ports);
    return buildListing(
      found,
      { ...frame, requestPolicy: pickRequestPolicy(request), source, context },
      ports,
    );
  };
  await processListing({ ...context, id: request.id }, read, ports);
}

async function findPageLinks(
  { request, outcome }: InboundResponse,
  of: { source: Source; context: CrawlContext },
  { bodies }: ReadCrawledPagePorts,
): Promise<CrawlResult> {
  return readCrawlAnswer({ request, outcome, ...of }, await loadBody(outcome, bodies));
}

async function buildListing(
  found: CrawlResult,
  from: ListingContext & { source: Source; context: CrawlContext },
  ports: ReadCrawledPagePorts,
): Promise<ListingResult> {
  if (found.type === "too-late") {
    const listing = emptyListingResult(from);
    return { ...listing, outcome: { ...listing.outcome, unfollowed: { [timeLimitReason]: 1 } } };
  }
  if (found.type === "failed") return failedListingResult(from, found.reason, found.outcome);
  const { harvest, follow, role } = found;
  const { source, context, requestPolicy, run } = from;
  const { obeyRobots, crawl } = source;
  // The crawl's deadline and robots.txt rule apply only to its pages. Articles are requested until the run's deadline.
  const notAfter = run.deadlineAt;
  const articles = await selectArticles(
    harvest.map(entryFromUrl),
    // The pages of a site share links. Sitemaps do not share links, and have up to 50,000 each.
    {
      ...from,
      requestPolicy: { ...requestPolicy, obeyRobots, notAfter },
      sharesLinks: context.role === "page",
    },
    ports,
  );
  const next = { ...context, role, depth: context.depth + 1 };
  const { pages: listingRequests, unfollowed } = await buildNextRequests(
    follow,
    { ...from, context: next, maxPages: crawl.maxPages },
    ports,
  );
  const { extractionRegex } = crawl;
  const emptyReason =
    extractionRegex === undefined ? "is of its site" : `matches the extraction expression ${extractionRegex}`;
  const isPreparatory = context.role !== "page" && harvest.length === 0;
  const outcome = {
    ...articles.outcome,
    unfollowed,
    ...(isPreparatory && { isPreparatory }),
    ...(harvest.length === 0 && { emptyReason }),
  };
  return { ...articles, outcome, listingRequests };
}

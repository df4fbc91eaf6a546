import type { Clock } from "../core/clock.ts";
import type { BodyStore } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { InboundResponse } from "../web/gate/response.ts";
import { bareEntry, mannersOf } from "./article-requests.ts";
import { contextOf } from "./completion.ts";
import { type Found, findLinks } from "./crawl/find-links.ts";
import { type CrawlContext, crawlContext, nextPages, outOfTime } from "./crawl/page-requests.ts";
import { emptyListing, failedListing, type Listing, type ListingContext, listArticles } from "./listing.ts";
import { type ListingFrame, type ReadListingPorts, readListing } from "./read-listing.ts";

export interface ReadCrawledPagePorts extends ReadListingPorts {
  bodies: BodyStore;
  clock: Clock;
}

/** Reads the answer to a request for a page of a crawl: asks for the articles that it lists, and for the next pages. */
export async function readCrawledPageResponse(
  response: InboundResponse,
  ports: ReadCrawledPagePorts,
): Promise<void> {
  const { request } = response;
  const context = contextOf(request, crawlContext);
  const read = async (source: Source, frame: ListingFrame) => {
    const found = await find(response, { source, context }, ports);
    return listLinks(found, { ...frame, manners: mannersOf(request), source, context }, ports);
  };
  await readListing({ ...context, id: request.id }, read, ports);
}

async function find(
  { request, outcome }: InboundResponse,
  of: { source: Source; context: CrawlContext },
  { bodies }: ReadCrawledPagePorts,
): Promise<Found> {
  const bodyKey = outcome.type === "answered" ? outcome.bodyKey : undefined;
  const bytes = bodyKey === undefined ? new Uint8Array() : await bodies.body(bodyKey);
  return findLinks({ request, outcome, ...of }, bytes);
}

async function listLinks(
  found: Found,
  from: ListingContext & { source: Source; context: CrawlContext },
  ports: ReadCrawledPagePorts,
): Promise<Listing> {
  if (found.type === "late") {
    const listing = emptyListing(from);
    return { ...listing, outcome: { ...listing.outcome, unfollowed: { [outOfTime]: 1 } } };
  }
  if (found.type === "miss") return failedListing(from, found.reason);
  const { harvest, follow, role } = found;
  const { source, context, manners, run } = from;
  const { obeyRobots, crawl } = source;
  // What bounds the crawl is its pages' alone: articles that it has found are asked for as long as the run takes them.
  const notAfter = run.deadlineAt;
  const articles = await listArticles(
    harvest.map(bareEntry),
    // Pages of a site have links in common; a sitemap may have fifty thousand of its own.
    { ...from, manners: { ...manners, obeyRobots, notAfter }, isOneOfMany: context.role === "page" },
    ports,
  );
  const next = { ...context, role, depth: context.depth + 1 };
  const { pages, unfollowed } = await nextPages(
    follow,
    { ...from, context: next, maxPages: crawl.maxPages },
    ports,
  );
  const { extractionRegex } = crawl;
  const nothing =
    extractionRegex === undefined ? "is of its site" : `matches the extraction expression ${extractionRegex}`;
  const isPreparatory = context.role !== "page" && harvest.length === 0;
  const outcome = {
    ...articles.outcome,
    unfollowed,
    ...(isPreparatory && { isPreparatory }),
    ...(harvest.length === 0 && { nothing }),
  };
  return { ...articles, outcome, pages };
}

import type { Clock } from "../core/clock.ts";
import type { BodyStore } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { InboundResponse } from "../web/gate/response.ts";
import { bareEntry, mannersOf } from "./article-requests.ts";
import { contextOf } from "./completion.ts";
import { type Found, findLinks } from "./crawl/find-links.ts";
import { type CrawlContext, crawlContext, nextPages } from "./crawl/page-requests.ts";
import { failedListing, type Listing, type ListingContext, listArticles } from "./listing.ts";
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
  if (found.type === "miss") return failedListing(from, found.reason);
  const { harvest, follow, role } = found;
  const { source, context, manners } = from;
  const { obeyRobots, crawl } = source;
  const articles = await listArticles(
    harvest.map(bareEntry),
    // Pages of a site have links in common; a sitemap may have fifty thousand of its own.
    { ...from, manners: { ...manners, obeyRobots }, isOneOfMany: context.role === "page" },
    ports,
  );
  const next = { ...context, role, depth: context.depth + 1 };
  const { pages, left } = await nextPages(
    follow,
    { ...from, context: next, maxPages: crawl.maxPages },
    ports,
  );
  const note = left > 0 && {
    reason: `the crawl has reached its limit: ${left} links to pages were not followed`,
  };
  const isPreparatory = context.role !== "page" && harvest.length === 0;
  const outcome = { ...articles.outcome, ...note, ...(isPreparatory && { isPreparatory }) };
  return { ...articles, outcome, pages };
}

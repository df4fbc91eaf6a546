import { z } from "zod";
import { digest } from "../../core/digest.ts";
import type { RunStore } from "../../ports.ts";
import type { NewRequest } from "../../web/request.ts";
import type { Manners } from "../article-requests.ts";
import { counted } from "../completion.ts";
import { claimed } from "../listing.ts";

/** The context of a request for a page that lists articles. */
export const crawlContext = counted.extend({
  role: z.enum(["page", "robots", "sitemap"]),
  /** Steps from the source's own page. */
  depth: z.number().int().nonnegative(),
  /** No page is followed after this time, in milliseconds since 1970. */
  untilMs: z.number(),
});
export type CrawlContext = z.output<typeof crawlContext>;

/**
 * The request for a page of a crawl: the same wherever its link is found. Crawled pages obey robots.txt, whatever the
 * source says.
 */
export function pageRequest(url: string, context: CrawlContext, manners: Manners): NewRequest {
  const { runId, sourceId, role } = context;
  const id = digest(runId, sourceId, role, url);
  return { id, kind: "page", url, ...manners, obeyRobots: true, context };
}

/**
 * The requests for the pages that a page leads to, as many as the crawl may still open.
 * @returns `left`: how many addresses are not asked for because of its limits
 */
export async function nextPages(
  urls: string[],
  from: { context: CrawlContext; listingId: string; manners: Manners; maxPages: number; nowMs: number },
  runs: RunStore,
): Promise<{ pages: NewRequest[]; left: number }> {
  const { context, listingId, manners, maxPages } = from;
  const { runId, sourceId } = context;
  if (urls.length === 0 || from.nowMs > context.untilMs) return { pages: [], left: urls.length };
  const drafts = urls.slice(0, maxPages).map((url) => pageRequest(url, context, manners));
  const mine = await claimed(drafts, { runId, sourceId, listingId }, runs);
  const ids = mine.map(({ id }) => id);
  const { opened } = await runs.count(runId, `crawl#${sourceId}`, { opened: [listingId, ...ids] });
  const pages = mine.slice(0, Math.max(0, mine.length - Math.max(0, opened - maxPages)));
  return { pages, left: urls.length - drafts.length + (mine.length - pages.length) };
}

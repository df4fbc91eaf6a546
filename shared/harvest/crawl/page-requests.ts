import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import type { RunStore, SourceStore } from "../../ports.ts";
import { type NewRequest, outboundRequest } from "../../web/gate/request.ts";
import type { Manners } from "../article-requests.ts";
import { counted } from "../completion.ts";
import { claimed } from "../listing.ts";

/** The context of a request for a page that lists articles. */
export const crawlContext = counted.extend({
  role: z.enum(["page", "robots", "sitemap"]),
  /** Steps from the source's own page. */
  depth: z.number().int().nonnegative(),
  /** No page is followed after this time, in milliseconds since 1970; the crawl's first page sets it. */
  untilMs: z.number().optional(),
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

interface NextPagesPorts {
  runs: RunStore;
  sources: Pick<SourceStore, "settings">;
  clock: Clock;
}

/** What keeps the time of a crawl that is over. */
export const outOfTime = "the time of the crawl was over";

/**
 * The requests for the pages that a page leads to, as many as the crawl may still open. None is claimed beyond that, so
 * that the tally of a crawl holds no more than its pages, however many links they have.
 * @param from.context of the next pages
 * @returns `unfollowed`: how many addresses are not asked for, by the limit of the crawl that keeps them
 */
export async function nextPages(
  urls: string[],
  from: { context: CrawlContext; listingId: string; manners: Manners; maxPages: number },
  { runs, sources, clock }: NextPagesPorts,
): Promise<{ pages: NewRequest[]; unfollowed: Record<string, number> }> {
  const { context, listingId, manners, maxPages } = from;
  const { runId, sourceId } = context;
  const nowMs = clock.now().getTime();
  const { untilMs = nowMs + (await sources.settings()).crawlTimeoutSeconds * 1000 } = context;
  if (urls.length === 0) return { pages: [], unfollowed: {} };
  if (nowMs > untilMs) return { pages: [], unfollowed: { [outOfTime]: urls.length } };
  const tally = `crawl#${sourceId}`;
  const drafts = urls
    .map((url) => pageRequest(url, { ...context, untilMs }, until(untilMs, manners)))
    .filter((request) => outboundRequest.safeParse(request).success);
  const opened = new Set([listingId, ...(await runs.open(runId, tally))]);
  // Those of another page are that one's to ask for; those that this one opened before it broke off need no more room.
  const old = drafts.filter(({ id }) => opened.has(id));
  const unknown = drafts.filter(({ id }) => !opened.has(id));
  const added = unknown.slice(0, Math.max(0, maxPages - opened.size));
  const mine = await claimed([...old, ...added], { runId, sourceId, listingId }, runs);
  const now = await runs.count(runId, tally, { opened: [listingId, ...mine.map(({ id }) => id)] });
  // Of pages that are read at the same time, the last one gives way.
  const pages = mine.slice(0, Math.max(0, mine.length - Math.max(0, now.opened - maxPages)));
  const left = unknown.length - added.length + (mine.length - pages.length);
  const limits = {
    [`the crawl has reached its limit of ${maxPages} pages`]: left,
    "addresses that cannot be asked for": urls.length - drafts.length,
  };
  return { pages, unfollowed: Object.fromEntries(Object.entries(limits).filter(([, count]) => count > 0)) };
}

/** A page whose turn comes when the crawl's time is over is not wanted any more. */
function until(untilMs: number, manners: Manners): Manners {
  const { notAfter } = manners;
  const isSooner = notAfter !== undefined && Date.parse(notAfter) < untilMs;
  return isSooner ? manners : { ...manners, notAfter: new Date(untilMs).toISOString() };
}

import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { runContext } from "../../runs/completion.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import { type NewRequest, outboundRequest } from "../../web/gate/request.ts";
import { claimNewRequests } from "../listing/select-articles.ts";
import type { RequestPolicy } from "../request-policy.ts";

/** The context of a request for a page that lists articles. */
export const crawlContext = runContext.extend({
  role: z.enum(["page", "robots", "sitemap"]),
  /** Steps from the source's own page. */
  depth: z.number().int().nonnegative(),
  /** No page is followed after this time, in milliseconds since 1970; the crawl's first page sets it. */
  deadlineMs: z.number().optional(),
});
export type CrawlContext = z.output<typeof crawlContext>;

/**
 * The request for a page of a crawl: the same wherever its link is found. Crawled pages obey robots.txt, whatever the
 * source says.
 */
export function buildCrawlRequest(
  url: string,
  context: CrawlContext,
  requestPolicy: RequestPolicy,
): NewRequest {
  const { runId, sourceId, role } = context;
  const id = digest(runId, sourceId, role, url);
  return { id, kind: "page", url, ...requestPolicy, obeyRobots: true, context };
}

interface CrawlRequestsPorts {
  runs: RunStore;
  sources: Pick<SourceStore, "settings">;
  clock: Clock;
}

/** What keeps the time of a crawl that is over. */
export const timeLimitReason = "the time of the crawl was over";

/**
 * The requests for the pages that a page leads to, as many as the crawl may still open. None is claimed beyond that, so
 * that the tally of a crawl holds no more than its pages, however many links they have.
 * @param from.context of the next pages
 * @returns `unfollowed`: how many addresses are not asked for, by the limit of the crawl that keeps them
 */
export async function buildNextRequests(
  urls: string[],
  from: { context: CrawlContext; listingId: string; requestPolicy: RequestPolicy; maxPages: number },
  { runs, sources, clock }: CrawlRequestsPorts,
): Promise<{ pages: NewRequest[]; unfollowed: Record<string, number> }> {
  const { context, listingId, requestPolicy, maxPages } = from;
  const { runId, sourceId } = context;
  const nowMs = clock.now().getTime();
  const { deadlineMs = nowMs + (await sources.settings()).crawlTimeoutSeconds * 1000 } = context;
  if (urls.length === 0) return { pages: [], unfollowed: {} };
  if (nowMs > deadlineMs) return { pages: [], unfollowed: { [timeLimitReason]: urls.length } };
  const tally = `crawl#${sourceId}`;
  const drafts = urls
    .map((url) =>
      buildCrawlRequest(url, { ...context, deadlineMs }, limitToDeadline(deadlineMs, requestPolicy)),
    )
    .filter((request) => outboundRequest.safeParse(request).success);
  const alreadyOpened = new Set([listingId, ...(await runs.openIds(runId, tally))]);
  // Those of another page are that one's to ask for; those that this one opened before it broke off need no more room.
  const reopened = drafts.filter(({ id }) => alreadyOpened.has(id));
  const unknown = drafts.filter(({ id }) => !alreadyOpened.has(id));
  const added = unknown.slice(0, Math.max(0, maxPages - alreadyOpened.size));
  const claimedRequests = await claimNewRequests(
    [...reopened, ...added],
    { runId, sourceId, listingId },
    runs,
  );
  const updatedTally = await runs.updateTally(runId, tally, {
    opened: [listingId, ...claimedRequests.map(({ id }) => id)],
  });
  // Of pages that are read at the same time, the last one gives way.
  const pages = claimedRequests.slice(
    0,
    Math.max(0, claimedRequests.length - Math.max(0, updatedTally.opened - maxPages)),
  );
  const unrequested = unknown.length - added.length + (claimedRequests.length - pages.length);
  const limits = {
    [`the crawl has reached its limit of ${maxPages} pages`]: unrequested,
    "addresses that cannot be asked for": urls.length - drafts.length,
  };
  return { pages, unfollowed: Object.fromEntries(Object.entries(limits).filter(([, count]) => count > 0)) };
}

/** A page whose turn comes when the crawl's time is over is not wanted any more. */
function limitToDeadline(deadlineMs: number, requestPolicy: RequestPolicy): RequestPolicy {
  const { notAfter } = requestPolicy;
  const isSooner = notAfter !== undefined && Date.parse(notAfter) < deadlineMs;
  return isSooner ? requestPolicy : { ...requestPolicy, notAfter: new Date(deadlineMs).toISOString() };
}

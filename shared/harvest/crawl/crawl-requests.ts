import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { runContext } from "../../records/runs/completion.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { type NewRequest, outboundRequest } from "../../web/request/request.ts";
import { claimNewRequests } from "../listing/select-articles.ts";
import type { RequestPolicy } from "../request-policy.ts";

/** The context of a crawl request. */
export const crawlContext = runContext.extend({
  role: z.enum(["page", "robots", "sitemap"]),
  /** The number of links between the source's own page and this page. */
  depth: z.number().int().nonnegative(),
  /** The Unix time after which no further pages are followed. The crawl's first page sets it. */
  deadlineMs: z.number().optional(),
});
export type CrawlContext = z.output<typeof crawlContext>;

/**
 * Builds the request for a page of a crawl. The request has the same id wherever the link is found. Crawls always obey
 * robots.txt.
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

/** The reason why pages are not followed after the crawl's deadline. */
export const timeLimitReason = "the time limit of the crawl was reached";

/**
 * Builds the requests for the pages that a page links to, up to the crawl's page limit. Only these pages are claimed.
 * Therefore, the tally of a crawl never exceeds the limit, regardless of the number of links on its pages.
 * @param from.context the context of the next pages
 * @returns `unfollowed`: the number of URLs that are not requested, by reason
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
  // Pages that another page has opened are requested by that page. Pages that this page opened before an interruption
  // are already counted.
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
  // When several pages are read at the same time and together exceed the limit, the later one requests fewer pages.
  const pages = claimedRequests.slice(
    0,
    Math.max(0, claimedRequests.length - Math.max(0, updatedTally.opened - maxPages)),
  );
  const unrequested = unknown.length - added.length + (claimedRequests.length - pages.length);
  const limits = {
    [`the crawl has reached its limit of ${maxPages} pages`]: unrequested,
    "invalid URLs": urls.length - drafts.length,
  };
  return { pages, unfollowed: Object.fromEntries(Object.entries(limits).filter(([, count]) => count > 0)) };
}

/** Cancels requests that would be sent after the crawl's deadline. */
function limitToDeadline(deadlineMs: number, requestPolicy: RequestPolicy): RequestPolicy {
  const { notAfter } = requestPolicy;
  const isSooner = notAfter !== undefined && Date.parse(notAfter) < deadlineMs;
  return isSooner ? requestPolicy : { ...requestPolicy, notAfter: new Date(deadlineMs).toISOString() };
}

import * as z from "zod";
import { digest } from "../../core/digest.ts";
import { runContext } from "../../records/runs/completion.ts";
import type { Source } from "../../records/sources/source.ts";
import type { NewRequest } from "../../web/request/request.ts";
import type { RequestPolicy } from "../request-policy.ts";
import { buildFeedPageUrl } from "./feed-pagination.ts";

/** The context of a feed request. */
export const feedContext = runContext.extend({
  /** For paged feeds, the number of the page, or `count` for the request of the page count. */
  page: z.union([z.number().int().positive(), z.literal("count")]).optional(),
  /** Set when the page count is unknown. After each page with new articles, the next page is then requested. */
  isOpenEnded: z.boolean().optional(),
});
export type FeedContext = z.output<typeof feedContext>;

/**
 * Builds the first requests for a feed: the feed itself; its configured pages; or, if no pages are configured, the page
 * count.
 */
export function buildFirstFeedRequests(
  source: Source,
  target: { runId: string; requestPolicy: RequestPolicy },
): NewRequest[] {
  if (source.pagedRss === undefined) return [buildFeedRequest(source, {}, target)];
  const pages = source.pagedRss.pages ?? (["count"] as const);
  return pages.map((page) => buildFeedRequest(source, { page }, target));
}

export function buildFeedRequest(
  source: Pick<Source, "sourceId" | "url" | "title" | "pagedRss">,
  paging: Pick<FeedContext, "page" | "isOpenEnded">,
  { runId, requestPolicy }: { runId: string; requestPolicy: RequestPolicy },
): NewRequest {
  const { sourceId, pagedRss } = source;
  const url = paging.page === undefined ? source.url : buildFeedPageUrl(source, paging.page);
  const throttleMs = Math.max(requestPolicy.throttleMs ?? 0, pagedRss?.delayMs ?? 0);
  return {
    id: digest(runId, sourceId, "feed", url),
    kind: "feed",
    url,
    ...requestPolicy,
    ...(throttleMs > 0 && { throttleMs }),
    context: { runId, sourceId, ...paging },
  };
}

import { z } from "zod";
import { digest } from "../core/digest.ts";
import type { Source } from "../sources/source.ts";
import type { NewRequest } from "../web/gate/request.ts";
import type { Manners } from "./article-requests.ts";
import { counted } from "./completion.ts";
import { feedPageUrl } from "./feed/pages.ts";

/** The context of a request for a feed. */
export const feedContext = counted.extend({
  /** Of a feed in pages: the page's number, or `count` for how many there are. */
  page: z.union([z.number().int().positive(), z.literal("count")]).optional(),
  /** Nobody knows how many pages there are: after a page with anything new the next one is asked for. */
  isOpenEnded: z.boolean().optional(),
});
export type FeedContext = z.output<typeof feedContext>;

/** The first requests for a feed: itself; or its pages, when it comes in pages that are known; or how many there are. */
export function firstFeedPages(source: Source, at: { runId: string; manners: Manners }): NewRequest[] {
  if (source.pagedRss === undefined) return [feedRequest(source, {}, at)];
  const pages = source.pagedRss.pages ?? (["count"] as const);
  return pages.map((page) => feedRequest(source, { page }, at));
}

export function feedRequest(
  source: Pick<Source, "sourceId" | "url" | "title" | "pagedRss">,
  paging: Pick<FeedContext, "page" | "isOpenEnded">,
  { runId, manners }: { runId: string; manners: Manners },
): NewRequest {
  const { sourceId, pagedRss } = source;
  const url = paging.page === undefined ? source.url : feedPageUrl(source, paging.page);
  const throttleMs = Math.max(manners.throttleMs ?? 0, pagedRss?.delayMs ?? 0);
  return {
    id: digest(runId, sourceId, "feed", url),
    kind: "feed",
    url,
    ...manners,
    ...(throttleMs > 0 && { throttleMs }),
    context: { runId, sourceId, ...paging },
  };
}

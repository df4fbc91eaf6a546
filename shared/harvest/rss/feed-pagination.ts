import * as z from "zod";
import { parseJson } from "../../core/parse-json.ts";
import type { Source } from "../../records/sources/source.ts";

/** Pages of a feed that a run requests at most. */
export const maxPages = 1000;

/**
 * The URL of one page of a paged feed, or of its page count (`count`), with the parameters of the feed generator that the
 * original supports: `?journal=…&page_size=…&page_num=…` and `…&info=1`.
 */
export function buildFeedPageUrl(
  { url, title, pagedRss }: Pick<Source, "url" | "title" | "pagedRss">,
  page: number | "count",
): string {
  const pageUrl = new URL(url);
  pageUrl.searchParams.set("journal", title);
  if (pagedRss?.size !== undefined) pageUrl.searchParams.set("page_size", String(pagedRss.size));
  if (page === "count") pageUrl.searchParams.set("info", "1");
  else pageUrl.searchParams.set("page_num", String(page));
  return pageUrl.href;
}

const pageCount = z.object({ total_pages: z.coerce.number().int().nonnegative() });

/** The numbers of a feed's pages, from 1; undefined when the answer has no page count. */
export function parsePageNumbers(answer: string): number[] | undefined {
  const parsed = pageCount.safeParse(parseJson(answer));
  if (!parsed.success) return undefined;
  return Array.from({ length: Math.min(parsed.data.total_pages, maxPages) }, (_, index) => index + 1);
}

import * as z from "zod";
import { parseJson } from "../../core/parse-json.ts";
import type { Source } from "../../records/sources/source.ts";

/** The maximum number of pages of a feed that a run requests. */
export const maxPages = 1000;

/**
 * Builds the URL of one page of a paged feed, or of its page count (`count`). The parameters are those of the feed
 * generator that the Zotero Harvester supports: `?journal=…&page_size=…&page_num=…` and `…&info=1`.
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

/**
 * Returns the numbers of a feed's pages, from 1.
 * @returns undefined when the response contains no page count
 */
export function parsePageNumbers(answer: string): number[] | undefined {
  const parsed = pageCount.safeParse(parseJson(answer));
  if (!parsed.success) return undefined;
  return Array.from({ length: Math.min(parsed.data.total_pages, maxPages) }, (_, index) => index + 1);
}

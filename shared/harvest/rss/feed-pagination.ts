import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import type { Source } from "../../sources/source.ts";

/** More pages than this are asked for in no run. */
export const maxPages = 1000;

/**
 * The address of a page of a feed that comes in pages, or of the answer that says how many there are (`count`), as the
 * feed generator that the original was written for has it: `?journal=…&page_size=…&page_num=…` and `…&info=1`.
 */
export function buildFeedPageUrl(
  { url, title, pagedRss }: Pick<Source, "url" | "title" | "pagedRss">,
  page: number | "count",
): string {
  const address = new URL(url);
  address.searchParams.set("journal", title);
  if (pagedRss?.size !== undefined) address.searchParams.set("page_size", String(pagedRss.size));
  if (page === "count") address.searchParams.set("info", "1");
  else address.searchParams.set("page_num", String(page));
  return address.href;
}

const pageCount = z.object({ total_pages: z.coerce.number().int().nonnegative() });

/** The numbers of the pages that a feed says it has; undefined when the answer does not say. */
export function parsePageNumbers(answer: string): number[] | undefined {
  const parsed = pageCount.safeParse(parseJson(answer));
  if (!parsed.success) return undefined;
  return Array.from({ length: Math.min(parsed.data.total_pages, maxPages) }, (_, index) => index + 1);
}

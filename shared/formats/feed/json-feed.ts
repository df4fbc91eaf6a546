import * as z from "zod";
import { tidyText } from "../plain-text.ts";
import { completeEntries, type DraftEntry, firstWebUrl } from "./complete-entries.ts";
import { buildEntryDates, parseFeedDate } from "./feed-dates.ts";
import type { MappedFeed } from "./feed-result.ts";

/** A field of the wrong type counts as absent, so that an invalid item does not affect the others. */
const text = z.string().optional().catch(undefined);
const author = z.object({ name: text }).catch({});
const authors = z.array(author).optional().catch(undefined);

const item = z
  .object({
    id: z
      .union([z.string(), z.number().transform(String)])
      .optional()
      .catch(undefined),
    url: text,
    external_url: text,
    title: text,
    date_published: text,
    date_modified: text,
    language: text,
    /** Version 1.0 has one author, version 1.1 a list. */
    author: author.optional(),
    authors,
    tags: z.array(z.string()).optional().catch(undefined),
  })
  .catch({});

const jsonFeed = z.object({
  version: z.string().regex(/^https?:\/\/jsonfeed\.org\/version\/1/),
  title: text,
  language: text,
  next_url: text,
  items: z.array(item),
});

/**
 * Maps a JSON Feed of version 1.0 or 1.1.
 * @param url the feed's URL, for relative URLs
 * @returns undefined for other JSON
 * @see https://www.jsonfeed.org/version/1.1/
 */
export function mapJsonFeed(value: unknown, url: string): MappedFeed | undefined {
  const parsed = jsonFeed.safeParse(value);
  if (!parsed.success) return undefined;
  const { title, language, next_url: next, items } = parsed.data;
  return {
    format: "json-feed",
    title: tidyText(title),
    nextPageUrl: firstWebUrl([{ href: next, base: url }]),
    ...completeEntries(items.map((item) => mapItem(item, { language, url }))),
  };
}

function mapItem(
  item: z.output<typeof jsonFeed>["items"][number],
  feed: { language: string | undefined; url: string },
): DraftEntry {
  const authors = item.authors ?? (item.author === undefined ? [] : [item.author]);
  return {
    id: tidyText(item.id),
    url: firstWebUrl([
      { href: item.url, base: feed.url },
      { href: item.external_url, base: feed.url },
      { href: item.id },
    ]),
    title: tidyText(item.title),
    ...buildEntryDates({
      published: parseFeedDate(item.date_published),
      updated: parseFeedDate(item.date_modified),
    }),
    language: tidyText(item.language ?? feed.language),
    creators: authors.flatMap(({ name }) => tidyText(name) ?? []),
    keywords: [...new Set((item.tags ?? []).flatMap((tag) => tidyText(tag) ?? []))],
  };
}

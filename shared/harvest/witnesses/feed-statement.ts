import { isReadableDate } from "../../formats/article-dates.ts";
import { parseCreators } from "../../formats/creator-names.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { formatPageRange } from "../../formats/page-range.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import type { Statement } from "./statement.ts";

/** Decides whether a feed entry announces an article of a journal: it has a DOI, a volume or an issue. */
export function announcesArticle({ doi, volume, issue }: FeedEntry): boolean {
  return [doi, volume, issue].some((value) => value !== undefined);
}

/** Returns what a feed entry says about its article. The values are normalised like those of pages. */
export function feedStatement(entry: FeedEntry): Statement {
  const date = entry.publishedIso ?? entry.published;
  const fields = {
    title: entry.title,
    date: date !== undefined && isReadableDate(date) ? date : undefined,
    volume: entry.volume,
    issue: entry.issue,
    pages: entry.pages ?? formatPageRange(entry.startingPage, entry.endingPage),
    DOI: entry.doi,
    ISSN: entry.eissn ?? entry.issn,
    publicationTitle: entry.publicationName,
    language: entry.language,
    url: entry.url,
  } satisfies Partial<Record<keyof ZoteroItem, string | undefined>>;
  const stated = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
  return {
    witness: "feed",
    item: {
      itemType: announcesArticle(entry) ? "journalArticle" : "webpage",
      creators: parseCreators(entry.creators),
      tags: entry.keywords.map((tag) => ({ tag })),
      ...Object.fromEntries(stated),
    },
  };
}

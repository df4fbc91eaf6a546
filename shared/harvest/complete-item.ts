import type { FeedEntry } from "./feed/feed-entry.ts";
import type { ZoteroItem } from "./item.ts";
import { creatorsOf } from "./page/creator-names.ts";
import { pageRange } from "./page/identifiers.ts";

/** Item types that say no more than that there is a page. */
const unspecific: ReadonlySet<string> = new Set(["webpage", "blogPost"]);

/**
 * Fills what the page leaves open from what the feed said of it, in the form that pages' values have. The page is
 * nearer to the article, so what it says stands. A page that does not say what it is counts as an article when its feed
 * gives a DOI, a volume or an issue.
 */
export function completeItem(item: ZoteroItem, entry: FeedEntry): ZoteroItem {
  const isArticle = [entry.doi, entry.volume, entry.issue].some((value) => value !== undefined);
  const fromFeed: { [field: string]: unknown } = {
    title: entry.title,
    creators: creatorsOf(entry.creators),
    date: entry.publishedIso ?? entry.published,
    volume: entry.volume,
    issue: entry.issue,
    pages: entry.pages ?? pageRange(entry.startingPage, entry.endingPage),
    DOI: entry.doi,
    ISSN: entry.eissn ?? entry.issn,
    publicationTitle: entry.publicationName,
    language: entry.language,
    url: entry.url,
    tags: entry.keywords.map((tag) => ({ tag })),
  };
  const completed: ZoteroItem = { ...item };
  if (isArticle && unspecific.has(item.itemType)) completed.itemType = "journalArticle";
  for (const [field, value] of Object.entries(fromFeed)) {
    if (!isEmpty(value) && isEmpty(completed[field])) completed[field] = value;
  }
  return completed;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

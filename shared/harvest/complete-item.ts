import type { FeedEntry } from "./feed/feed-entry.ts";
import type { ZoteroItem } from "./item.ts";

/** Item types that say no more than that there is a page. */
const unspecific: ReadonlySet<string> = new Set(["webpage", "blogPost"]);

/**
 * Fills what the page leaves open from what the feed said of it. The page is nearer to the article, so what it says
 * stands. A page that does not say what it is counts as an article when its feed gives a DOI, a volume or an issue.
 */
export function completeItem(item: ZoteroItem, entry: FeedEntry): ZoteroItem {
  const isArticle = [entry.doi, entry.volume, entry.issue].some((value) => value !== undefined);
  const fromFeed: { [field: string]: unknown } = {
    title: entry.title,
    creators: entry.creators.length > 0 ? entry.creators.map(toCreator) : undefined,
    date: entry.publishedIso ?? entry.published,
    volume: entry.volume,
    issue: entry.issue,
    pages: entry.pages ?? pageRange(entry),
    DOI: entry.doi,
    ISSN: entry.eissn ?? entry.issn,
    publicationTitle: entry.publicationName,
    language: entry.language,
    url: entry.url,
    tags: entry.keywords.length > 0 ? entry.keywords.map((tag) => ({ tag })) : undefined,
  };
  const completed: ZoteroItem = { ...item };
  if (isArticle && unspecific.has(item.itemType)) completed.itemType = "journalArticle";
  for (const [field, value] of Object.entries(fromFeed)) {
    if (value !== undefined && isEmpty(completed[field])) completed[field] = value;
  }
  return completed;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** A feed gives names in one piece: "Last, First" is taken apart, else the last word is the surname. */
function toCreator(name: string) {
  const creatorType = "author";
  const comma = name.indexOf(",");
  if (comma >= 0) {
    return { creatorType, lastName: name.slice(0, comma).trim(), firstName: name.slice(comma + 1).trim() };
  }
  const space = name.lastIndexOf(" ");
  return { creatorType, lastName: name.slice(space + 1), firstName: name.slice(0, Math.max(space, 0)) };
}

function pageRange({ startingPage, endingPage }: FeedEntry): string | undefined {
  return startingPage === undefined || endingPage === undefined
    ? startingPage
    : `${startingPage}-${endingPage}`;
}

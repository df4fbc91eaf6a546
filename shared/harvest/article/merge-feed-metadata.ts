// Input: a page's item and its feed entry. Output: one item, or the reason why the page is not the article. Called by
// parse-article-content.ts.

import { truncateText } from "../../core/truncate-text.ts";
import { chooseDate, isReadableDate } from "../../formats/article-dates.ts";
import { parseCreators } from "../../formats/creator-names.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { formatPageRange } from "../../formats/page-range.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import { describesArticle, isErrorTitle, type TitledItem, titlesMatch } from "./page-plausibility.ts";

/** The item types that any web page may have. */
const genericItemTypes: ReadonlySet<string> = new Set(["webpage", "blogPost"]);

type MergedItem =
  | { type: "merged"; item: ZoteroItem; warnings: string[] }
  /** The page does not belong to the article. */
  | { type: "dropped"; reason: string };

/**
 * Fills fields that are empty in a page from its feed entry. The feed's values are normalised like those of pages. The
 * page's values take precedence, with two exceptions: the feed's title replaces a bare `<title>`, and the feed's date
 * replaces a year if it lies within that year. A page without an item type counts as an article when its feed entry has
 * a DOI, a volume or an issue.
 *
 * A page with only a title may be an error page or a bot check. It counts as the announced article only when its title
 * matches the feed's title. The feed's values then take precedence.
 */
export function mergeFeedMetadata(page: TitledItem, entry: FeedEntry): MergedItem {
  const { item, titleFrom } = page;
  const title = truncateText(item.title ?? "");
  if (isErrorTitle(page, entry.title))
    return { type: "dropped", reason: `error-page: the page has the title "${title}"` };
  const isArticle = [entry.doi, entry.volume, entry.issue].some((value) => value !== undefined);
  const fromFeed = feedFields(entry);
  const feedDate = entry.publishedIso ?? entry.published;
  // A date of the page that cannot be read is left to the conversion, because the feed's date may be decades later.
  const isOpen = isEmpty(item.date) || isReadableDate(item.date ?? "");
  const date = isOpen ? chooseDate([{ date: item.date }, { date: feedDate }]).date : item.date;
  if (describesArticle(page)) {
    const itemType = isArticle && genericItemTypes.has(item.itemType) ? "journalArticle" : item.itemType;
    const { title: _bare, ...others } = item;
    const own = titleFrom === "html" && !isEmpty(fromFeed.title) ? others : item;
    const dated = date === undefined ? own : { ...own, date };
    return { type: "merged", item: fillMissing({ ...dated, itemType }, fromFeed), warnings: [] };
  }
  if (!isArticle || isEmpty(entry.title))
    return { type: "merged", item: fillMissing(item, fromFeed), warnings: [] };
  if (!titlesMatch(item.title ?? "", entry.title ?? "")) {
    const reason = `other-page: the page has no metadata but the title "${title}", the feed has "${truncateText(entry.title ?? "")}"`;
    return { type: "dropped", reason };
  }
  const { url, ...others } = fromFeed;
  return {
    type: "merged",
    item: fillMissing(fillMissing(fillMissing({ itemType: "journalArticle" }, others), item), { url }),
    warnings: ["the page has no metadata but its title: the record is made from the feed entry"],
  };
}

function feedFields(entry: FeedEntry): { [field: string]: unknown } {
  return {
    title: entry.title,
    creators: parseCreators(entry.creators),
    date: entry.publishedIso ?? entry.published,
    volume: entry.volume,
    issue: entry.issue,
    pages: entry.pages ?? formatPageRange(entry.startingPage, entry.endingPage),
    DOI: entry.doi,
    ISSN: entry.eissn ?? entry.issn,
    publicationTitle: entry.publicationName,
    language: entry.language,
    url: entry.url,
    tags: entry.keywords.map((tag) => ({ tag })),
  };
}

/** Sets the fields that the item lacks. */
function fillMissing(item: ZoteroItem, fields: { [field: string]: unknown }): ZoteroItem {
  const filled: ZoteroItem = { ...item };
  for (const [field, value] of Object.entries(fields)) {
    if (!isEmpty(value) && isEmpty(filled[field])) filled[field] = value;
  }
  return filled;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

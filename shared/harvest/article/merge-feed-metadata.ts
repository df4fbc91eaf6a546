import { truncateText } from "../../core/truncate-text.ts";
import { chooseDate } from "../../metadata/article-dates.ts";
import { parseCreators } from "../../metadata/creator-names.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import { formatPageRange } from "../../metadata/page-range.ts";
import type { ZoteroItem } from "../../metadata/zotero-item.ts";
import { describesArticle, isErrorTitle, type TitledItem, titlesMatch } from "./page-plausibility.ts";

/** Item types that say no more than that there is a page. */
const genericItemTypes: ReadonlySet<string> = new Set(["webpage", "blogPost"]);

export type MergedItem =
  | { type: "completed"; item: ZoteroItem; warnings: string[] }
  /** The page is not that of the article. */
  | { type: "dropped"; reason: string };

/**
 * Fills what the page leaves open from what the feed said of it, in the form that pages' values have. The page is
 * nearer to the article, so what it says stands; only a bare `<title>` gives way to the feed's title. A page that does
 * not say what it is counts as an article when its feed gives a DOI, a volume or an issue.
 *
 * A page that says of an article no more than a title may be an error or a challenge. It counts as the feed's article
 * when its title is the feed's; the feed's own metadata then go first.
 */
export function mergeFeedMetadata(page: TitledItem, entry: FeedEntry): MergedItem {
  const { item, titleFrom } = page;
  const title = truncateText(item.title ?? "");
  if (isErrorTitle(page, entry.title))
    return { type: "dropped", reason: `error-page: the page has the title "${title}"` };
  const isArticle = [entry.doi, entry.volume, entry.issue].some((value) => value !== undefined);
  const fromFeed = feedFields(entry);
  const feedDate = entry.publishedIso ?? entry.published;
  const { date, problems } = chooseDate([{ date: item.date }, { date: feedDate }]);
  if (describesArticle(page)) {
    const itemType = isArticle && genericItemTypes.has(item.itemType) ? "journalArticle" : item.itemType;
    const { title: _bare, ...others } = item;
    const own = titleFrom === "html" && !isEmpty(fromFeed.title) ? others : item;
    const dated = date === undefined ? own : { ...own, date };
    return { type: "completed", item: fillMissing({ ...dated, itemType }, fromFeed), warnings: problems };
  }
  if (!isArticle || isEmpty(entry.title))
    return { type: "completed", item: fillMissing(item, fromFeed), warnings: [] };
  if (!titlesMatch(item.title ?? "", entry.title ?? "")) {
    const reason = `other-page: the page says no more than the title "${title}", the feed has "${truncateText(entry.title ?? "")}"`;
    return { type: "dropped", reason };
  }
  const { url, ...others } = fromFeed;
  return {
    type: "completed",
    item: fillMissing(fillMissing(fillMissing({ itemType: "journalArticle" }, others), item), { url }),
    warnings: [
      "the page says nothing of the article but its title: the record is made of what the feed says",
    ],
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

/** The item with the fields that it lacks. */
function fillMissing(item: ZoteroItem, fields: { [field: string]: unknown }): ZoteroItem {
  const whole: ZoteroItem = { ...item };
  for (const [field, value] of Object.entries(fields)) {
    if (!isEmpty(value) && isEmpty(whole[field])) whole[field] = value;
  }
  return whole;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

// Input: a page, its linked record and its feed entry. Output: what each of them says, or the reason why the page is
// not the article. Called by parse-article-content.ts.

import { isDeepStrictEqual } from "node:util";
import { truncateText } from "../../core/truncate-text.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { mergeMetadata } from "../../formats/merge/merge-metadata.ts";
import { chooseOwnWork } from "../../formats/merge/own-work.ts";
import {
  buildPageReading,
  type LinkedMetadataRecords,
  type PageReading,
  type ParsedPage,
} from "../../formats/page/read-page.ts";
import { announcesArticle, feedStatement } from "../witnesses/feed-statement.ts";
import type { Statement } from "../witnesses/statement.ts";
import { describesArticle, isErrorTitle, type TitledItem, titlesMatch } from "./page-plausibility.ts";

type PageItem = Extract<PageReading, { type: "item" }>;

type PageStatements =
  | { type: "statements"; statements: [Statement, ...Statement[]]; warnings: string[] }
  /** The page does not belong to the article. */
  | { type: "dropped"; reason: string };

/**
 * Returns the statements of a page and of its feed entry.
 *
 * A page with only a title may be an error page or a bot check. It counts as the announced article only when its title
 * matches the feed's title. All other witnesses then take precedence.
 * @param site the statements of the page and its linked record; by default, only the page's item
 */
export function pageStatements(
  page: TitledItem,
  entry: FeedEntry,
  site: readonly Statement[] = [{ witness: "page", item: page.item, recipes: page.recipes }],
): PageStatements {
  const { item, titleFrom } = page;
  const title = truncateText(item.title ?? "");
  if (isErrorTitle(page, entry.title))
    return { type: "dropped", reason: `error-page: the page has the title "${title}"` };
  const feed = feedStatement(entry);
  if (describesArticle(page)) {
    const weak = titleFrom === "html" ? ["title"] : [];
    return { type: "statements", statements: [feed, ...weaken(site, weak)], warnings: [] };
  }
  const announced = entry.title ?? "";
  if (!announcesArticle(entry) || announced === "") {
    // Without a title, nothing confirms that the page is the announced article.
    const unconfirmed = { ...feed, item: { ...feed.item, itemType: "webpage" } };
    return { type: "statements", statements: [unconfirmed, ...site], warnings: [] };
  }
  if (!titlesMatch(item.title ?? "", announced)) {
    const reason = `other-page: the page has no metadata but the title "${title}", the feed has "${truncateText(announced)}"`;
    return { type: "dropped", reason };
  }
  const warnings = ["the page has no metadata but its title: the record is made from the feed entry"];
  return { type: "statements", statements: [feed, ...weaken(site, "all")], warnings };
}

function weaken(statements: readonly Statement[], fields: readonly string[] | "all"): Statement[] {
  return statements.map(({ weak = new Set(), ...statement }) => ({
    ...statement,
    weak: weak === "all" || fields === "all" ? "all" : new Set([...weak, ...fields]),
  }));
}

/**
 * Returns the statements of a page and of the record that it links to. Both are merged by the trust in their
 * vocabularies; the fields in which the record prevails are weak in the page's statement.
 * @param merged the reading of the page with the record
 */
export function siteStatements(
  page: ParsedPage,
  { vocabulary, records }: LinkedMetadataRecords,
  merged: PageItem,
): Statement[] {
  const alone = buildPageReading(page);
  const own = mergeMetadata({ [vocabulary]: chooseOwnWork(records, page.metadata) });
  if (alone.type !== "item") return [{ witness: "linked-record", item: merged.item }];
  const fields = Object.keys(merged.item).filter(
    (field) => !isDeepStrictEqual(merged.item[field], alone.item[field]),
  );
  const prevailing = Object.fromEntries(fields.map((field) => [field, merged.item[field]]));
  return [
    { witness: "page", item: alone.item, weak: new Set(fields), recipes: alone.recipes },
    { witness: "linked-record", item: { ...own, ...prevailing } },
  ];
}

import { formatValue } from "../../core/errors.ts";
import { formatYears, type StatedDate } from "../../formats/stated-date.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import { type HostTitle, hostTitleOf } from "../../records/sources/host-title.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import { type Article, readArticle } from "./article.ts";
import { type ArticleKind, classifyArticle } from "./article-kind.ts";
import { buildDropped, type Dropped } from "./conversion.ts";
import { filterItem, findExcludingItemFilter } from "./item-filters.ts";
import { textToDetect } from "./languages.ts";
import { findOnlineFirstReason } from "./online-first.ts";
import { type Orcids, readOrcids } from "./orcids.ts";
import { normalisePages } from "./page-numbers.ts";
import { parsePublicationDate } from "./publication-date.ts";

/** An article that passed all checks, with all data that do not depend on its language. */
export interface PreparedArticle {
  type: "prepared";
  article: Article;
  /** Undefined when the item has no date. */
  date: StatedDate | undefined;
  kind: ArticleKind;
  hostTitle: HostTitle;
  /** The text from which the language of the article is detected; undefined when no detection is needed. */
  textToDetect: string | undefined;
  orcids: Orcids;
  warnings: string[];
}

export interface PreparationContext {
  source: Source;
  settings: Settings;
  /** YYYY-MM-DD. */
  today: string;
  /** The ISSN on the article's page, which is used for a source that was given as a URL. */
  pageIssn?: string | undefined;
}

/** Filters, reads and checks an item that has its notes attached. */
export function prepareItem(item: ZoteroItem, context: PreparationContext): PreparedArticle | Dropped {
  const { source, settings } = context;
  const chain = [settings.filters, source.filters];
  const filtered = filterItem(item, chain);
  const exclusion = findExcludingItemFilter(filtered, chain);
  if (exclusion !== undefined) return buildDropped("excluded-item", exclusion);

  const warnings: string[] = [];
  const warn = (warning: string) => warnings.push(warning);
  const parsed = readArticle(filtered, warn);
  if (parsed.itemType === "webpage") return buildDropped("webpage", parsed.url || parsed.title);

  const article: Article = {
    ...parsed,
    volume: parsed.volume.replace(/^0+/, ""),
    issue: parsed.issue.replace(/^0+/, ""),
    pages: normalisePages(parsed.pages),
  };
  const date = readDate(article, context, warn);
  if (article.date && date === undefined) return buildDropped("unreadable-date", article.date);
  if (date === undefined)
    warn(`the item has no date: the record has ${settings.currentYearIfUndated ? "the current" : "no"} year`);
  const configured = hostTitleOf(source);
  const hostTitle: HostTitle =
    configured.type === "unregistered" ? { type: "unregistered", issn: context.pageIssn } : configured;
  if (hostTitle.type === "incomplete") return buildDropped("incomplete-source", hostTitle.detail);
  if (!article.url && !article.doi) return buildDropped("no-url", article.title);
  const kind = classifyArticle(article, source, settings);
  const onlineFirst = findOnlineFirstReason(article, kind, settings);
  if (onlineFirst) return buildDropped(onlineFirst.reason, onlineFirst.detail);
  if (!article.title) return buildDropped("no-title", article.url || article.doi);

  return {
    type: "prepared",
    article,
    date,
    kind,
    hostTitle,
    textToDetect: textToDetect(article, source.expectedLanguages),
    orcids: readOrcids(article.notes, warn),
    warnings,
  };
}

/** Returns the item's date, or undefined when it names no year. */
function readDate(
  { date: stated, language }: Article,
  { source, settings, today }: PreparationContext,
  warn: (warning: string) => void,
): StatedDate | undefined {
  const date = stated ? parsePublicationDate(stated, { source, settings, language, today }) : undefined;
  if (date?.isUnread)
    warn(`date ${formatValue(date.text)} cannot be read: the record has its year, ${formatYears(date)}`);
  return date;
}

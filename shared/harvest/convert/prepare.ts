import { type HostTitle, hostTitleOf } from "../../sources/host-title.ts";
import type { Settings } from "../../sources/settings.ts";
import type { Source } from "../../sources/source.ts";
import type { ZoteroItem } from "../item.ts";
import { type Article, readArticle } from "./article.ts";
import { type Dropped, dropped } from "./conversion.ts";
import { readDate } from "./dates.ts";
import { excludingItemFilter, filterItem } from "./item-filters.ts";
import { type Kind, kindOf } from "./kind.ts";
import { textToDetect } from "./languages.ts";
import { prematureReason } from "./online-first.ts";
import { type Orcids, readOrcids } from "./orcids.ts";
import { normalisePages } from "./pages.ts";

/** An article that will become a record, with all that can be said of it before its language is known. */
export interface PreparedArticle {
  type: "prepared";
  article: Article;
  /** YYYY-MM-DD; undefined when the item has no date. */
  date: string | undefined;
  kind: Kind;
  host: HostTitle;
  /** Set when the language of this text would decide that of the article. */
  textToDetect: string | undefined;
  orcids: Orcids;
  warnings: string[];
}

export interface PreparationContext {
  source: Source;
  settings: Settings;
}

/** Reads, filters and judges one item whose notes are attached. */
export function prepareItem(item: ZoteroItem, context: PreparationContext): PreparedArticle | Dropped {
  const { source, settings } = context;
  const chain = [settings.filters, source.filters];
  const filtered = filterItem(item, chain);
  const exclusion = excludingItemFilter(filtered, chain);
  if (exclusion !== undefined) return dropped("excluded-item", exclusion);

  const warnings: string[] = [];
  const warn = (warning: string) => warnings.push(warning);
  const read = readArticle(filtered, warn);
  if (read.itemType === "webpage") return dropped("webpage", read.url || read.title);

  const article: Article = {
    ...read,
    volume: read.volume.replace(/^0+/, ""),
    issue: read.issue.replace(/^0+/, ""),
    pages: normalisePages(read.pages),
  };
  const date = article.date ? readDate(article.date, source, settings) : undefined;
  if (article.date && date === undefined) return dropped("unreadable-date", article.date);
  if (date === undefined) warn("no date is stated: the record has the current year");
  const host = hostTitleOf(source);
  if (host.type === "incomplete") return dropped("incomplete-source", host.detail);
  if (!article.url && !article.doi) return dropped("no-url", article.title);
  const kind = kindOf(article, source, settings);
  const premature = prematureReason(article, kind, settings);
  if (premature) return dropped(premature.reason, premature.detail);
  if (!article.title) return dropped("no-title", article.url || article.doi);

  return {
    type: "prepared",
    article,
    date,
    kind,
    host,
    textToDetect: textToDetect(article, source.expectedLanguages),
    orcids: readOrcids(article.notes, warn),
    warnings,
  };
}

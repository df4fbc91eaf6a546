import type { Settings } from "../../sources/settings.ts";
import type { Source } from "../../sources/source.ts";
import type { ZoteroItem } from "../item.ts";
import { type Article, readArticle } from "./article.ts";
import { type Dropped, dropped } from "./conversion.ts";
import { readDate } from "./dates.ts";
import { type HostTitle, hostTitleOf } from "./host-title.ts";
import { excludingItemFilter, filterItem } from "./item-filters.ts";
import { type Kind, kindOf } from "./kind.ts";
import { type DetectLanguage, resolveLanguages } from "./languages.ts";
import { normaliseName } from "./names.ts";
import { prematureReason } from "./online-first.ts";
import { type Orcids, readOrcids } from "./orcids.ts";
import { normalisePages } from "./pages.ts";
import type { Person } from "./people.ts";
import { relatorOf } from "./relators.ts";

/** An article that will become a record, with all that can be said of it without asking anybody. */
export interface PreparedArticle {
  type: "prepared";
  article: Article;
  /** YYYY-MM-DD; undefined when the item has no date. */
  date: string | undefined;
  kind: Kind;
  host: HostTitle;
  languages: string[];
  people: Person[];
  orcids: Orcids;
  warnings: string[];
}

export interface PreparationContext {
  source: Source;
  settings: Settings;
  detectLanguage?: DetectLanguage;
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
  const host = hostTitleOf(source);
  if (host.type === "incomplete") return dropped("incomplete-source", host.detail);
  if (!article.url && !article.doi) return dropped("no-url", article.title);
  const kind = kindOf(article, source, settings);
  const premature = prematureReason(article, kind, settings);
  if (premature) return dropped(premature, article.title);
  if (!article.title) return dropped("no-title", article.url || article.doi);

  const languages = resolveLanguages(article, source.expectedLanguages, context.detectLanguage, warn);
  const people = article.creators.map((creator): Person => {
    const relator = relatorOf(creator.type);
    if (relator === undefined && creator.type) warn(`creator type "${creator.type}" has no relator code`);
    return { ...normaliseName(creator, languages, settings.nameBlacklist), ...(relator && { relator }) };
  });
  return {
    type: "prepared",
    article,
    date,
    kind,
    host,
    languages,
    people,
    orcids: readOrcids(article.notes, warn),
    warnings,
  };
}

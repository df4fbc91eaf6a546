import { type Article, journal as demoJournal } from "./articles.ts";
import type { MetaTag } from "./layout.ts";

/**
 * Renders an article in qualified Dublin Core, as Open Journal Systems does.
 * @see https://www.dublincore.org/specifications/dublin-core/dcq-html/
 */
export function dublinCoreTags(article: Article, url: string): MetaTag[] {
  const { journal = demoJournal } = article;
  return [
    ["DC.Type", "Text.Serial.Journal"],
    ["DC.Title", article.title],
    ...article.authors.map(({ given, family }): MetaTag => ["DC.Creator.PersonalName", `${given} ${family}`]),
    ["DC.Date.issued", article.published],
    ["DC.Source", journal.title],
    ["DC.Source.ISSN", journal.issn],
    ["DC.Source.Volume", journal.volume],
    ["DC.Source.Issue", journal.issue],
    ["DC.Identifier.pageNumber", article.pages?.join("-")],
    ["DC.Identifier.DOI", article.doi],
    ["DC.Identifier.URI", url],
    ["DC.Language", article.language],
    ["DC.Description", article.abstract],
    ...article.keywords.map((keyword): MetaTag => ["DC.Subject", keyword]),
    ["DC.Publisher", journal.publisher],
    ["DC.Rights", journal.licenceUrl],
  ];
}

import { type Article, journal as demoJournal } from "./articles.ts";
import type { MetaTag } from "./layout.ts";

/**
 * Renders an article in the tags that Google Scholar reads. They have no article numbers or licences.
 * @see https://scholar.google.com/intl/en/scholar/inclusion.html#indexing
 */
export function highwireTags(article: Article, url: string): MetaTag[] {
  const { journal = demoJournal } = article;
  const [firstPage, lastPage] = article.pages ?? [];
  return [
    ["citation_journal_title", journal.title],
    ["citation_issn", journal.issn],
    ["citation_publisher", journal.publisher],
    ["citation_title", article.title],
    ...article.authors.map(({ given, family }): MetaTag => ["citation_author", `${family}, ${given}`]),
    ["citation_publication_date", article.published.replaceAll("-", "/")],
    ["citation_volume", journal.volume],
    ["citation_issue", journal.issue],
    ["citation_firstpage", firstPage],
    ["citation_lastpage", lastPage],
    ["citation_doi", article.doi],
    ["citation_language", article.language],
    ["citation_abstract", article.abstract],
    ["citation_keywords", article.keywords.join("; ")],
    ["citation_abstract_html_url", url],
  ];
}

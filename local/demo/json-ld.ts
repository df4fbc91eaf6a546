import { type Article, journal as demoJournal } from "./articles.ts";

/**
 * Renders an article in schema.org terms, nested with its issue, volume and journal.
 * @see https://schema.org/ScholarlyArticle
 */
export function scholarlyArticle(article: Article, url: string): object {
  const { journal = demoJournal } = article;
  const [pageStart, pageEnd] = article.pages ?? [];
  return {
    "@context": "https://schema.org",
    "@type": "ScholarlyArticle",
    "@id": url,
    url,
    headline: article.title,
    author: article.authors.map(({ given, family, orcid }) => ({
      "@type": "Person",
      "@id": orcid && `https://orcid.org/${orcid}`,
      givenName: given,
      familyName: family,
    })),
    datePublished: article.published,
    inLanguage: article.language,
    identifier: { "@type": "PropertyValue", propertyID: "doi", value: article.doi },
    pageStart,
    pageEnd,
    pagination: article.articleNumber && `article ${article.articleNumber}`,
    isPartOf: {
      "@type": "PublicationIssue",
      issueNumber: journal.issue,
      isPartOf: {
        "@type": "PublicationVolume",
        volumeNumber: journal.volume,
        isPartOf: { "@type": "Periodical", name: journal.title, issn: journal.issn },
      },
    },
    publisher: { "@type": "Organization", name: journal.publisher },
    abstract: article.abstract,
    keywords: article.keywords,
    license: journal.licenceUrl,
  };
}

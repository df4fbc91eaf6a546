import { XMLBuilder } from "fast-xml-parser";
import { type Article, articlePath, type Journal } from "./articles.ts";

const builder = new XMLBuilder({ ignoreAttributes: false, format: true });

interface Feed {
  journal: Journal;
  articles: readonly Article[];
  /** The path of the feed itself. */
  path: string;
}

/**
 * Renders a journal's RSS 2.0 feed, with Dublin Core for authors and PRISM for volume, issue and pages.
 * @see https://www.rssboard.org/rss-specification
 * @see https://www.w3.org/submissions/2020/SUBM-prism-20200910/prism-basic.html
 */
export function renderFeed(feed: Feed, origin: string): string {
  const { journal, articles, path } = feed;
  return builder.build({
    "?xml": { "@_version": "1.0", "@_encoding": "utf-8" },
    rss: {
      "@_version": "2.0",
      "@_xmlns:atom": "http://www.w3.org/2005/Atom",
      "@_xmlns:dc": "http://purl.org/dc/elements/1.1/",
      "@_xmlns:prism": "http://prismstandard.org/namespaces/basic/2.0/",
      channel: {
        title: journal.title,
        link: `${origin}/`,
        description: journal.subtitle,
        language: "en",
        "atom:link": { "@_rel": "self", "@_type": "application/rss+xml", "@_href": origin + path },
        "prism:publicationName": journal.title,
        "prism:eIssn": journal.issn,
        item: articles.map((article) => feedItem(article, article.journal ?? journal, origin)),
      },
    },
  });
}

function feedItem(article: Article, { volume, issue }: Journal, origin: string) {
  const [startingPage, endingPage] = article.pages ?? [];
  return {
    title: article.title,
    link: origin + articlePath(article),
    guid: { "@_isPermaLink": "false", "#text": `doi:${article.doi}` },
    pubDate: new Date(article.published).toUTCString(),
    description: article.abstract,
    category: article.keywords,
    "dc:creator": article.authors.map(({ given, family }) => `${given} ${family}`),
    "dc:language": article.language,
    "prism:doi": article.doi,
    "prism:publicationDate": article.published,
    "prism:volume": volume,
    "prism:number": issue,
    "prism:startingPage": startingPage,
    "prism:endingPage": endingPage,
  };
}

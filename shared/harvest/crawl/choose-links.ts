import { compilePattern } from "../../records/sources/pattern.ts";
import type { Source } from "../../records/sources/source.ts";
import { siteOf } from "../../web/address/site.ts";

/** Files that are not pages. */
const nonPagePath =
  /\.(?:js|mjs|css|json|xml|rss|bmp|pdf|jpe?g|gif|png|tiff?|svg|webp|ico|mp[34]|zip|gz|docx?|epub)$/i;

interface ChosenLinks {
  /** URLs of articles. */
  harvest: string[];
  /** Pages that may list more. */
  follow: string[];
}

/**
 * Sorts the links of a page by the source's expressions: the extraction expression selects articles, the crawl expression
 * selects pages to follow. Without an extraction expression, every page is an article; without a crawl expression, every
 * page is followed that is not an article by the extraction expression. Links to other sites are ignored.
 * @param site undefined: links to all sites count
 */
export function chooseLinks(
  links: URL[],
  site: string | undefined,
  { crawl }: Pick<Source, "crawl">,
): ChosenLinks {
  const onSite = links.filter((link) => site === undefined || siteOf(link) === site);
  const pages = onSite.filter(({ pathname }) => !nonPagePath.test(pathname));
  // The extraction expression may select files.
  const isArticle =
    crawl.extractionRegex === undefined ? undefined : matchesExpression(crawl.extractionRegex);
  const articles = isArticle === undefined ? pages : onSite.filter(isArticle);
  const isFollowed =
    crawl.urlRegex === undefined
      ? (link: URL) => isArticle?.(link) !== true
      : matchesExpression(crawl.urlRegex);
  const followed = pages.filter(isFollowed);
  return { harvest: articles.map(({ href }) => href), follow: followed.map(({ href }) => href) };
}

function matchesExpression(regex: string): (link: URL) => boolean {
  const pattern = compilePattern(regex);
  return ({ href }) => pattern.matcher(href).find();
}

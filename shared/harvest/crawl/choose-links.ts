import { compilePattern } from "../../sources/pattern.ts";
import type { Source } from "../../sources/source.ts";
import { siteOf } from "../../web/address/site.ts";

/** What cannot be a page that lists articles. */
const nonPagePath =
  /\.(?:js|mjs|css|json|xml|rss|bmp|pdf|jpe?g|gif|png|tiff?|svg|webp|ico|mp[34]|zip|gz|docx?|epub)$/i;

export interface ChosenLinks {
  /** Addresses of articles. */
  harvest: string[];
  /** Pages that may list more. */
  follow: string[];
}

/**
 * Sorts the links of a page by the source's two expressions: what its extraction expression matches is an article, what
 * its crawl expression matches is followed. Without the first all pages are articles, without the second all are followed that
 * the first does not name: an article would be asked for twice. Links off the site are neither.
 * @param site any when undefined
 */
export function chooseLinks(
  links: URL[],
  site: string | undefined,
  { crawl }: Pick<Source, "crawl">,
): ChosenLinks {
  const onSite = links.filter((link) => site === undefined || siteOf(link) === site);
  const pages = onSite.filter(({ pathname }) => !nonPagePath.test(pathname));
  // An expression that names files means them.
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

import { compilePattern } from "../../core/pattern.ts";
import type { Source } from "../../records/sources/source.ts";
import { siteOf } from "../../web/address/site.ts";

/** Matches the paths of files that are not pages. */
const nonPagePath =
  /\.(?:js|mjs|css|json|xml|rss|bmp|pdf|jpe?g|gif|png|tiff?|svg|webp|ico|mp[34]|zip|gz|docx?|epub)$/i;

interface ChosenLinks {
  /** The URLs of articles. */
  harvest: string[];
  /** The pages that may contain further links to articles. */
  follow: string[];
}

/**
 * Sorts the links of a page by the source's expressions. The extraction expression selects articles, and the crawl
 * expression selects pages to follow. Without an extraction expression, every page is an article. Without a crawl
 * expression, every page that the extraction expression does not select is followed. Links to other sites are ignored.
 * @param site the site of the source; if undefined, links to all sites are used
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

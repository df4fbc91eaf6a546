import { parseWebUrl } from "../../shared/identifiers/web-url.ts";
import type { Vocabulary } from "../../shared/metadata/merge/merge-metadata.ts";
import { attributeOf, forEachElement, hasWord } from "../../shared/metadata/page/elements.ts";
import { parsePage } from "../../shared/metadata/page/read-page.ts";

const feedTypes = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)\b/i;

/** Comments are no articles. */
const comments = /comment|kommentar/i;

/** Vocabularies that describe an article. Those of search engines and social networks describe home pages, too. */
const ofArticles: readonly Vocabulary[] = ["unapi", "highwire", "prism", "eprints", "coins"];

/**
 * The feed that a page offers, unless the page is an article itself.
 * @param page.url after redirects
 * @see https://html.spec.whatwg.org/multipage/links.html#rel-alternate
 */
export function findFeedLink(
  bytes: Uint8Array,
  page: { url: string; contentType?: string | undefined },
): URL | undefined {
  const parsed = parsePage(bytes, page);
  if (parsed.type !== "parsed") return undefined;
  const { metadata } = parsed;
  if (ofArticles.some((vocabulary) => metadata[vocabulary]?.title !== undefined)) return undefined;
  const feeds: URL[] = [];
  forEachElement(new TextDecoder().decode(bytes), (element) => {
    if (element.name !== "link" || !hasWord(element, "rel", "alternate")) return;
    if (!feedTypes.test(attributeOf(element, "type") ?? "")) return;
    const url = parseWebUrl(attributeOf(element, "href"), parsed.base);
    const isOfComments = comments.test(`${attributeOf(element, "title") ?? ""} ${url?.pathname ?? ""}`);
    if (url !== undefined && !isOfComments) feeds.push(url);
  });
  return feeds[0];
}

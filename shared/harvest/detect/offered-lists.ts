import { attributeOf, forEachElement, hasWord } from "../../formats/page/elements.ts";
import { parseWebUrl } from "../../identifiers/web-url.ts";

const feedTypes = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)\b/i;

/** Matches feeds of comments, which are not articles. */
const comments = /comment|kommentar/i;

/** Matches common addresses of feeds, for pages without a link element that names a feed. */
const feedAddress =
  /\.(?:rss|rdf|atom)$|\/(?:rss2?|atom|feeds?)(?:\.xml|\.php)?\/?$|[?&](?:feed|format|type)=(?:rss2?|atom)\b/i;

/** Matches addresses of OAI-PMH repositories. */
const oaiAddress = /\/oai(?:\/request|2d?|\.php|pmh)?\/?$|[?&]verb=Identify\b/i;

export function looksLikeOai(url: URL): boolean {
  return oaiAddress.test(url.pathname) || url.searchParams.has("verb");
}

/**
 * Returns the lists of articles that a page offers, most trusted first: feeds that it names as its alternates, links
 * that look like feeds, and links to an OAI-PMH repository. Their real type is determined when they are read.
 * @param base the base URL of the page's links
 * @see https://html.spec.whatwg.org/multipage/links.html#rel-alternate
 */
export function findOfferedLists(html: string, base: string): URL[] {
  const [alternates, feeds, repositories]: [URL[], URL[], URL[]] = [[], [], []];
  forEachElement(html, (element) => {
    const url = parseWebUrl(attributeOf(element, "href"), base);
    if (url === undefined || comments.test(`${attributeOf(element, "title") ?? ""} ${url.pathname}`)) return;
    if (element.name === "link") {
      const isFeed = feedTypes.test(attributeOf(element, "type") ?? "");
      if (isFeed && hasWord(element, "rel", "alternate")) alternates.push(url);
    } else if (element.name === "a") {
      if (feedAddress.test(`${url.pathname}${url.search}`)) feeds.push(url);
      else if (oaiAddress.test(`${url.pathname}${url.search}`)) repositories.push(url);
    }
  });
  const all = [...alternates, ...feeds, ...repositories];
  return all.filter(({ href }, index) => all.findIndex((url) => url.href === href) === index);
}

import { parseWebUrl } from "../../identifiers/web-url.ts";
import { attributeOf, forEachElement } from "./elements.ts";

/** Attributes that link to another page. */
const linkAttributes: ReadonlyMap<string, string> = new Map([
  ["a", "href"],
  ["area", "href"],
  ["frame", "src"],
  ["iframe", "src"],
]);

/** The number of links per page, which exceeds that of a list of all articles of a journal. */
const maxLinks = 20_000;

/**
 * Returns the distinct absolute URLs to which a page links, without fragments, in page order.
 * @param url the URL of the page
 */
export function findLinks(page: string, url: string): URL[] {
  const links = new Map<string, URL>();
  let base = url;
  let isBaseKnown = false;
  forEachElement(page, (element) => {
    if (element.name === "base" && !isBaseKnown) {
      base = parseWebUrl(attributeOf(element, "href"), url)?.href ?? url;
      isBaseKnown = true;
    }
    const attribute = linkAttributes.get(element.name);
    const link = attribute && parseWebUrl(attributeOf(element, attribute), base);
    if (!link || links.size >= maxLinks) return;
    link.hash = "";
    links.set(link.href, link);
  });
  return [...links.values()];
}

import { parseWebUrl } from "../../identifiers/web-url.ts";
import { attributeOf, forEachElement } from "./elements.ts";

/** Where an element points to another page. */
const addressAttributes: ReadonlyMap<string, string> = new Map([
  ["a", "href"],
  ["area", "href"],
  ["frame", "src"],
  ["iframe", "src"],
]);

/** Of one page; a list of everything that a journal has published stays below it. */
const maxLinks = 20_000;

/**
 * The addresses that a page links to, absolute and without fragment, each once, in the order of the page.
 * @param url the page's own
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
    const attribute = addressAttributes.get(element.name);
    const link = attribute && parseWebUrl(attributeOf(element, attribute), base);
    if (!link || links.size >= maxLinks) return;
    link.hash = "";
    links.set(link.href, link);
  });
  return [...links.values()];
}

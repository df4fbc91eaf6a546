import { forEachElement, type PageElement } from "../../formats/page/elements.ts";
import { srcsetUrls } from "../../formats/page/srcset.ts";
import { decodeText } from "../page/decode-text.ts";
import { LinkGatherer, type LinkReaderOptions, type LinkReading, resolveReference } from "./found-link.ts";
import { LineIndex } from "./line-index.ts";

/** The attributes of each element that lead to another resource. */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ["a", ["href"]],
  ["area", ["href"]],
  ["audio", ["src"]],
  ["embed", ["src"]],
  ["frame", ["src"]],
  ["iframe", ["src"]],
  ["image", ["href", "xlink:href"]],
  ["img", ["src", "srcset"]],
  ["input", ["src"]],
  ["link", ["href"]],
  ["object", ["data"]],
  ["script", ["src"]],
  ["source", ["src", "srcset"]],
  ["track", ["src"]],
  ["video", ["src", "poster"]],
]);

/** Matches the `rel` values of a `link` element that names a host, not a resource. */
const hostHints = /(?:^|\s)(?:preconnect|dns-prefetch)(?:\s|$)/i;

/** Elements whose links lead to separate pages. */
const pageElements: ReadonlySet<string> = new Set(["a", "area", "frame", "iframe"]);

/** Converts an offset in the text to a place in the file. */
type Locate = (offset: number) => { line: number; column: number };

/**
 * Reads the links of an HTML page, including those of images, scripts and style sheets. A `base` element is respected.
 */
export function readHtmlLinks(
  bytes: Uint8Array,
  { base, contentType }: LinkReaderOptions & { contentType?: string | undefined },
): LinkReading {
  const text = decodeText(bytes, contentType);
  const lines = new LineIndex(text);
  const links = new LinkGatherer();
  gatherHtmlLinks(text, links, { base, locate: (offset) => lines.placeOf(offset) });
  return links.finish();
}

/** Adds the links of HTML text. */
export function gatherHtmlLinks(
  html: string,
  links: LinkGatherer,
  { base, locate }: { base: string | undefined; locate: Locate },
): void {
  let current = base;
  let isBaseKnown = false;
  const visit = (element: PageElement) => {
    const { name, attributes, location } = element;
    if (name === "base" && !isBaseKnown) {
      const href = attributes.find((attribute) => attribute.name === "href")?.value;
      const resolved = href === undefined ? undefined : resolveReference(href, base);
      if (resolved?.type === "link") {
        current = resolved.url;
        isBaseKnown = true;
      }
      return;
    }
    const wanted = linkAttributes.get(name);
    if (wanted === undefined || isHostHint(element)) return;
    for (const attribute of attributes) {
      if (!wanted.includes(attribute.name)) continue;
      const place = locate(location?.attrs?.[attribute.name]?.startOffset ?? location?.startOffset ?? 0);
      for (const reference of referencesOf(attribute)) links.add(reference, place, current);
    }
  };
  forEachElement(html, visit, { withText: [], includeForeign: true, withLocations: true });
}

/**
 * Returns the absolute URLs, without fragments, of the pages that a page links to. A crawl continues with these pages.
 */
export function pagesLinkedFrom(
  bytes: Uint8Array,
  url: string,
  contentType: string | undefined,
): Set<string> {
  const pages = new Set<string>();
  let base = url;
  forEachElement(
    decodeText(bytes, contentType),
    ({ name, attributes }) => {
      for (const attribute of attributes) {
        const isBase = name === "base" && attribute.name === "href";
        if (!isBase && !(pageElements.has(name) && /^(?:href|src)$/.test(attribute.name))) continue;
        const resolved = resolveReference(attribute.value, isBase ? url : base);
        if (resolved.type !== "link") continue;
        if (isBase) base = resolved.url;
        else pages.add(resolved.url.split("#", 1)[0] as string);
      }
    },
    { withText: [] },
  );
  return pages;
}

function isHostHint({ name, attributes }: PageElement): boolean {
  return (
    name === "link" &&
    attributes.some((attribute) => attribute.name === "rel" && hostHints.test(attribute.value))
  );
}

function referencesOf({ name, value }: { name: string; value: string }): string[] {
  return name === "srcset" ? srcsetUrls(value) : [value];
}

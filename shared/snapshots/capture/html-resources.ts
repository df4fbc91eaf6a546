import { parseJson } from "../../core/parse-json.ts";
import { attributeOf, forEachElement, hasWord, type PageElement } from "../../formats/page/elements.ts";
import { srcsetUrls } from "../../formats/page/srcset.ts";
import { cssUrls } from "./css-urls.ts";
import { type DiscoveredLinks, type Hop, LinkCollector } from "./discovered-link.ts";

/** Attributes that contain one URL each. An SVG element may have them in either spelling. */
const references: readonly (readonly [elements: string, attributes: readonly string[], hop: Hop])[] = [
  ["a area", ["href"], "L"],
  ["frame iframe", ["src", "data-src"], "E"],
  ["img", ["src", "data-src", "data-original", "data-lazy-src", "longdesc"], "E"],
  ["source video audio track embed script", ["src", "data-src"], "E"],
  ["video", ["poster"], "E"],
  ["input", ["src"], "E"],
  ["object", ["data"], "E"],
  ["body table td th", ["background"], "E"],
  ["image use feimage pattern lineargradient radialgradient filter mpath", ["href", "xlink:href"], "E"],
];

const byElement = new Map<string, (readonly [attribute: string, hop: Hop])[]>();
for (const [elements, attributes, hop] of references) {
  for (const name of elements.split(" ")) {
    byElement.set(name, [
      ...(byElement.get(name) ?? []),
      ...attributes.map((attribute) => [attribute, hop] as const),
    ]);
  }
}

const sourceSets = ["srcset", "data-srcset", "imagesrcset"];

/**
 * The `rel` values of resources that are needed to show a page. Links with other values lead to other pages.
 */
const requisiteRelations =
  /\b(stylesheet|icon|apple-touch-icon|mask-icon|preload|prefetch|modulepreload|manifest)\b/i;

/** The `meta` properties whose content is the URL of an image. */
const imageProperties = /^(og:image(:url|:secure_url)?|twitter:image(:src)?|msapplication-tileimage)$/i;

/** The maximum nesting of pages in attributes. Each level escapes the level within. */
const maxSourceDocuments = 5;

/**
 * Returns the links of a page, and the resources that are needed to show it. Scripts are not run.
 * @param url the URL of the page
 * @param depth the nesting of a page in the `srcdoc` of a frame, whose URLs are relative to the base of the
 *   outer page
 */
export function htmlResources(page: string, url: string, depth = 0): DiscoveredLinks {
  const found = new LinkCollector(url);
  let isBaseKnown = false;
  forEachElement(
    page,
    (element) => {
      if (element.name === "base" && !isBaseKnown && attributeOf(element, "href") !== undefined) {
        found.base = URL.parse(attributeOf(element, "href") ?? "", url)?.href ?? url;
        isBaseKnown = true;
      }
      addReferences(element, found);
      addSpecial(element, found);
      const inner = element.name === "iframe" ? attributeOf(element, "srcdoc") : undefined;
      if (inner === undefined || depth === maxSourceDocuments) return;
      found.addAll(htmlResources(inner, found.base, depth + 1));
    },
    { withText: ["style", "script"], includeForeign: true },
  );
  return found.found();
}

function addReferences(element: PageElement, found: LinkCollector): void {
  for (const [attribute, hop] of byElement.get(element.name.toLowerCase()) ?? []) {
    found.add(attributeOf(element, attribute), hop);
  }
  for (const { name, value } of element.attributes) {
    if (sourceSets.includes(name)) for (const source of srcsetUrls(value)) found.add(source, "E");
    else if (name === "style") for (const reference of cssUrls(value)) found.add(reference, "E");
  }
}

/** Adds the links of elements whose meaning depends on more than their name. */
function addSpecial(element: PageElement, found: LinkCollector): void {
  if (element.name === "link") {
    const relation = attributeOf(element, "rel") ?? "";
    found.add(attributeOf(element, "href"), requisiteRelations.test(relation) ? "E" : "L");
  } else if (element.name === "style") {
    for (const reference of cssUrls(element.text)) found.add(reference, "E");
  } else if (element.name === "form") {
    const isGet = (attributeOf(element, "method") ?? "get").toLowerCase() === "get";
    if (isGet) found.add(attributeOf(element, "action"), "L");
  } else if (element.name === "meta") {
    addMeta(element, found);
  } else if (element.name === "script" && hasWord(element, "type", "application/ld+json")) {
    addImages(parseJson(element.text), found);
  }
}

function addMeta(element: PageElement, found: LinkCollector): void {
  const content = attributeOf(element, "content");
  const property = attributeOf(element, "property") ?? attributeOf(element, "name") ?? "";
  if (imageProperties.test(property)) found.add(content, "E");
  if (attributeOf(element, "http-equiv")?.toLowerCase() === "refresh") {
    const [, target] = /^\s*[\d.]*\s*[;,]?\s*url\s*=\s*["']?([^"']+)/i.exec(content ?? "") ?? [];
    found.add(target, "R");
  }
}

/** Adds the values of `image`, `logo` and `thumbnailUrl` in JSON-LD, at any depth. */
function addImages(node: unknown, found: LinkCollector, isImage = false, depth = 0): void {
  if (typeof node === "string") {
    if (isImage) found.add(node, "E");
  } else if (typeof node === "object" && node !== null && depth < 20) {
    for (const [name, value] of Object.entries(node)) {
      const isInImage = Array.isArray(node)
        ? isImage
        : /^(image|logo|thumbnailUrl)$/.test(name) || (isImage && name === "url");
      addImages(value, found, isInImage, depth + 1);
    }
  }
}

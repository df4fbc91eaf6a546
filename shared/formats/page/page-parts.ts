import { maxJsonLdBlocks, maxTagsPerKind } from "../limits.ts";
import { isFreeLicence } from "../merge/free-licence.ts";
import { attributeOf, forEachElement, hasWord, type PageElement } from "./elements.ts";
import { PagePlaces } from "./page-places.ts";

/** The parts of a page that may contain metadata, each in page order. */
export interface PageParts {
  /** The name of the first element, which distinguishes HTML from other markup. */
  firstElement?: string;
  metas: Meta[];
  links: Link[];
  jsonLd: string[];
  /** The OpenURLs in `span.Z3988`. */
  coins: string[];
  unapiIds: string[];
  title?: string;
  language?: string | undefined;
  baseUrl?: string | undefined;
  /** The kinds of parts that exceed their limit. */
  exceeded: Set<string>;
}

export interface Meta {
  /** In lower case. A meta tag with two names counts as two tags. */
  name: string;
  content: string;
  language?: string | undefined;
}

/** A `link` element, or an `a` element that names a licence. */
export interface Link {
  rel: string[];
  url: string;
  mediaType: string;
  /** In lower case. */
  title: string;
}

/** Collects the parts of a page, up to the limit of each kind. */
export function collectParts(page: string): PageParts {
  const parts: PageParts = {
    metas: [],
    links: [],
    jsonLd: [],
    coins: [],
    unapiIds: [],
    exceeded: new Set(),
  };
  const add = <T>(kind: "metas" | "links" | "jsonLd" | "coins" | "unapiIds", list: T[], item: T) => {
    const limit = kind === "jsonLd" ? maxJsonLdBlocks : maxTagsPerKind;
    if (list.length < limit) list.push(item);
    else parts.exceeded.add(kind);
  };

  const places = new PagePlaces();
  const visit = (element: PageElement) => {
    places.open(element);
    parts.firstElement ??= element.name;
    switch (element.name) {
      case "html":
        parts.language ??= attributeOf(element, "lang") ?? attributeOf(element, "xml:lang");
        break;
      case "base":
        parts.baseUrl ??= attributeOf(element, "href");
        break;
      case "title":
        parts.title ??= element.text;
        break;
      case "meta":
        for (const meta of readMeta(element)) add("metas", parts.metas, meta);
        break;
      case "link":
        add("links", parts.links, readLink(element, namesLicence(element) ? ["license"] : []));
        break;
      case "a":
        if (isLicenceLink(element, places)) add("links", parts.links, readLink(element, ["license"]));
        break;
      case "script":
        if (/^application\/ld\+json\b/i.test(attributeOf(element, "type")?.trim() ?? ""))
          add("jsonLd", parts.jsonLd, element.text);
        break;
      case "span":
        if (hasWord(element, "class", "Z3988"))
          add("coins", parts.coins, attributeOf(element, "title") ?? "");
        break;
      case "abbr":
        if (hasWord(element, "class", "unapi-id"))
          add("unapiIds", parts.unapiIds, attributeOf(element, "title") ?? "");
        break;
    }
  };
  forEachElement(page, visit, { onEndTag: (name) => places.close(name) });
  return parts;
}

/**
 * Decides whether a link names the licence of the article: by `rel`, by the property of microdata or RDFa, or by its
 * place in a part of the page that states rights. A link in the footer or sidebar is about the site.
 */
function isLicenceLink(element: PageElement, { isInSite, isInRights }: PagePlaces): boolean {
  if (isInSite) return false;
  return namesLicence(element) || (isInRights && isFreeLicence(attributeOf(element, "href") ?? ""));
}

function namesLicence(element: PageElement): boolean {
  return ["rel", "itemprop", "property"].some((attribute) => hasWord(element, attribute, "license"));
}

export function readMeta(element: PageElement): Meta[] {
  const content = attributeOf(element, "content") ?? "";
  const names =
    attributeOf(element, "name") || attributeOf(element, "property") || attributeOf(element, "http-equiv");
  if (names === undefined || content.trim() === "") return [];
  const language = attributeOf(element, "lang") ?? attributeOf(element, "xml:lang");
  return names
    .toLowerCase()
    .split(/\s+/)
    .filter((name) => name !== "")
    .map((name) => ({ name, content, language }));
}

function readLink(element: PageElement, addedRel: string[]): Link {
  return {
    rel: (attributeOf(element, "rel") ?? "").toLowerCase().split(/\s+/).concat(addedRel),
    url: attributeOf(element, "href")?.trim() ?? "",
    mediaType: (attributeOf(element, "type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "",
    title: (attributeOf(element, "title") ?? "").trim().toLowerCase(),
  };
}

import { parseJson } from "../../../core/parse-json.ts";
import { findFieldDoi } from "../../../identifiers/doi.ts";
import type { ArticleMetadata, MetadataCreator } from "../../article-metadata.ts";
import { buildPersonCreator, parseCreatorName, withOrcid } from "../../creator-names.ts";
import { maxCreators, maxTextChars } from "../../limits.ts";
import { formatPageRange } from "../../page-range.ts";
import { plainText } from "../../plain-text.ts";
import { isHostOf } from "./host-family.ts";
import type { Platform } from "./platform.ts";

/**
 * An XML element in the page's JSON: its name in `#name`, its attributes in `$`, and its children in `$$` or its text
 * in `_`.
 */
type JsonElement = Readonly<Record<string, unknown>>;

/** The number of elements that are visited in authors or abstracts. The next constant is their nesting depth. */
const maxElements = 50_000;
const maxDepth = 50;

/**
 * Reads the state that the page embeds for its scripts. It contains the article with all authors and the complete
 * abstract.
 */
export const scienceDirect: Platform = {
  isMadeBy: ({ hosts }) => isHostOf(hosts, ["sciencedirect.com"]),
  passages: {
    state: (element) => element.name === "script" && element.attribute("type") === "application/json",
  },
  read(passages) {
    for (const script of passages("state")) {
      const state = parseState(script);
      if (isElement(state?.article)) return readState(state, state.article);
    }
    return undefined;
  },
};

/** Older pages have the JSON as a string within JSON. */
function parseState(script: string): JsonElement | undefined {
  const parsed = parseJson(script);
  const state = typeof parsed === "string" ? parseJson(parsed) : parsed;
  return isElement(state) ? state : undefined;
}

function readState(state: JsonElement, article: JsonElement): ArticleMetadata {
  const text = (key: string) => {
    const value = article[key];
    return plainText(
      typeof value === "number" ? String(value) : typeof value === "string" ? value : undefined,
    );
  };
  const { authors, abstracts } = state;
  const licence = isElement(article.access) ? article.access.license : undefined;
  return {
    itemType: text("contentType") === "JL" ? "journalArticle" : undefined,
    title: isElement(article.title) ? plainText(markupOf(article.title.content)) : undefined,
    creators: descendants(isElement(authors) ? authors.content : undefined, "author")
      .slice(0, maxCreators)
      .map(readAuthor)
      .filter((creator) => creator !== undefined),
    date: text("cover-date-start"),
    publicationTitle: text("srctitle"),
    volume: text("vol-first"),
    issue: formatPageRange(text("iss-first"), text("iss-last")),
    pages: formatPageRange(text("first-fp") ?? text("article-number"), text("last-lp")),
    DOI: findFieldDoi(text("doi") ?? ""),
    abstracts: readAbstracts(isElement(abstracts) ? abstracts.content : undefined),
    rights: typeof licence === "string" ? [licence] : [],
  };
}

function readAuthor(author: JsonElement): MetadataCreator | undefined {
  const [given, surname] = ["given-name", "surname"].map((name) =>
    plainText(markupOf(descendants(author.$$, name)[0])),
  );
  const { orcid } = isElement(author.$) ? author.$ : {};
  const creator =
    given !== undefined && surname !== undefined
      ? buildPersonCreator(given, surname)
      : parseCreatorName(surname ?? given ?? "");
  return creator && withOrcid(creator, [typeof orcid === "string" ? orcid : undefined]);
}

/**
 * Reads the abstracts by the authors, without headings. Highlights, graphical abstracts and abstracts by editors are
 * omitted.
 */
function readAbstracts(content: unknown): { text: string }[] {
  return descendants(content, "abstract")
    .filter(({ $ }) => !isElement($) || $.class === undefined || $.class === "author")
    .map((abstract) => plainText(markupOf(abstract, new Set(["section-title"]))))
    .flatMap((text) => (text === undefined ? [] : [{ text }]));
}

/** Returns the elements with a name, in document order. */
function descendants(root: unknown, name: string): JsonElement[] {
  const found: JsonElement[] = [];
  visit(root, (element) => {
    if (element["#name"] !== name) return true;
    found.push(element);
    return false;
  });
  return found;
}

/** Returns the text with a space between blocks. `CH<inf>4</inf>` remains one word. */
function markupOf(root: unknown, without: ReadonlySet<string> = new Set()): string {
  let markup = "";
  visit(root, (element) => {
    const name = String(element["#name"] ?? "");
    if (without.has(name)) return false;
    if (/para|sec|title$/.test(name)) markup += " ";
    if (typeof element._ === "string" && markup.length < maxTextChars) markup += element._;
    return true;
  });
  return markup.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** @param enter decides whether the children of an element are visited, too */
function visit(root: unknown, enter: (element: JsonElement) => boolean): void {
  let left = maxElements;
  const walk = (value: unknown, depth: number): void => {
    if (depth > maxDepth || left-- <= 0) return;
    if (Array.isArray(value)) for (const entry of value) walk(entry, depth + 1);
    else if (isElement(value) && enter(value)) walk(value.$$, depth + 1);
  };
  walk(root, 0);
}

function isElement(value: unknown): value is JsonElement {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

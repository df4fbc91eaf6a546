import { isDeepStrictEqual } from "node:util";
import { doiKey, parseDoi } from "../../identifiers/doi.ts";
import { findInvalidOrcids } from "../../identifiers/orcid.ts";
import { siteOf } from "../../web/address/site.ts";
import { isCut } from "../abstracts.ts";
import { chooseDate } from "../article-dates.ts";
import type { ArticleMetadata } from "../article-metadata.ts";
import { maxCreators } from "../limits.ts";
import {
  type MetadataByVocabulary,
  mergeMetadata,
  rankByTrust,
  type Vocabulary,
  vocabularies,
} from "../merge/merge-metadata.ts";
import { chooseOwnWork } from "../merge/own-work.ts";
import type { ZoteroItem } from "../zotero-item.ts";
import { parseCoins } from "./coins.ts";
import { decodePage } from "./decode-page.ts";
import { readDublinCore } from "./dublin-core.ts";
import { readEprints } from "./eprints.ts";
import { readHighwire } from "./highwire.ts";
import { readHtmlHead } from "./html-head.ts";
import { readJsonLd } from "./json-ld.ts";
import { findLinkedMetadata, type LinkedMetadata } from "./linked-metadata.ts";
import { readOpenGraph } from "./open-graph.ts";
import { collectParts, type PageParts } from "./page-parts.ts";
import { readPrism } from "./prism.ts";
import { type RecipeReading, type RecipeResult, readRecipes } from "./recipes/read-recipes.ts";
import type { NamedRecipe } from "./recipes/recipe.ts";
import { itemFields } from "./recipes/recipe-metadata.ts";
import { resolveUrl } from "./resolve-url.ts";

/** A parsed page with its vocabularies. The item is built from it, with or without a linked record. */
export interface ParsedPage {
  type: "parsed";
  /** The page's URL, after redirects. */
  url: string;
  /** The base of relative URLs. */
  base: string;
  parts: PageParts;
  /** The page's own metadata, by vocabulary. */
  metadata: MetadataByVocabulary;
  /** What recipes read. */
  recipes: RecipeReading[];
  problems: string[];
}

export type PageReading =
  | {
      type: "item";
      item: ZoteroItem;
      /** The vocabularies of the page, the most trusted first. */
      evidence: Vocabulary[];
      titleFrom: Vocabulary;
      /** The records to which the page links. */
      linked: LinkedMetadata[];
      recipes?: RecipeOrigins;
      /** Omitted or suspicious content, described in one sentence each. */
      problems: string[];
    }
  | NotAPage;

/** The recipes from which fields of an item were read, by field; each with the value that the page has without it. */
export type RecipeOrigins = Readonly<Record<string, { id: string; without?: unknown }>>;

export interface NotAPage {
  type: "not-a-page";
  reason: NotAPageReason;
  detail: string;
  linked?: LinkedMetadata[];
}

/** The records of a linked file. They include the page's own work, and possibly other works. */
export interface LinkedMetadataRecords {
  vocabulary: "unapi" | "mods" | "ris" | "bibtex" | "oai-dc";
  records: ArticleMetadata[];
}

/**
 * - `empty`: no bytes, or only white space
 * - `not-html`: another media type, binary data, or other markup, such as a feed
 * - `encoding`: an encoding that must not be decoded
 * - `no-title`: HTML without a title in any vocabulary
 */
export type NotAPageReason = "empty" | "not-html" | "encoding" | "no-title";

/** Elements with which HTML may begin. `html`, `head` and `body` are optional. */
const firstElements = new Set(
  "html head body title meta link base script style div p h1 h2 table center a span font noscript".split(" "),
);

export interface PageHints {
  /** The Content-Type of the response. */
  contentType?: string | undefined;
  /** The page's URL, after redirects. */
  url: string;
  /** The recipes of operators. */
  recipes?: readonly NamedRecipe[] | undefined;
}

/**
 * Reads the article that a page describes, as Zotero's Embedded Metadata translator does. In addition, JSON-LD, COinS,
 * ORCID iDs, further abstracts and licences are read. No scripts are run, and nothing is fetched.
 * @param bytes the decompressed body
 */
export function readPageItem(bytes: Uint8Array, hints: PageHints): PageReading {
  const page = parsePage(bytes, hints);
  return page.type === "parsed" ? buildPageReading(page) : page;
}

/** Parses a page, as the first half of `readPageItem`: everything that does not depend on linked records. */
export function parsePage(
  bytes: Uint8Array,
  { contentType, url, recipes: own = [] }: PageHints,
): ParsedPage | NotAPage {
  const decoded = decodePage(bytes, contentType);
  if (decoded.type === "no-text")
    return { type: "not-a-page", reason: decoded.reason, detail: decoded.detail };

  const parts = collectParts(decoded.text);
  if (!firstElements.has(parts.firstElement ?? ""))
    return {
      type: "not-a-page",
      reason: "not-html",
      detail: `begins with ${parts.firstElement ?? "no element"}`,
    };

  const recipes = readRecipes(decoded.text, { url, own, ...parts });
  const { own: metadata, problems } = readVocabularies(parts, recipes);
  const unreadable = decoded.text.includes("\ufffd") ? [`unreadable characters in ${decoded.encoding}`] : [];
  return {
    type: "parsed",
    url,
    base: resolveUrl(parts.baseUrl, url) ?? url,
    parts,
    metadata,
    recipes: recipes.readings,
    problems: [...problems, ...recipes.problems, ...unreadable],
  };
}

/**
 * Builds the item of a page, as the second half of `readPageItem`.
 * @param record the records of a linked file
 */
export function buildPageReading(page: ParsedPage, record?: LinkedMetadataRecords): PageReading {
  const { url: pageUrl, base, parts, metadata } = page;
  const statements =
    record === undefined
      ? metadata
      : { ...metadata, [record.vocabulary]: chooseOwnWork(record.records, metadata) };
  const linked = findLinkedMetadata(parts, base);
  const titleFrom = vocabularies.find((vocabulary) => statements[vocabulary]?.title !== undefined);
  if (titleFrom === undefined)
    return { type: "not-a-page", reason: "no-title", detail: "the page has no title", linked };

  const item = mergeMetadata(statements);
  const { url, foreign } = chooseUrl(statements, { page: pageUrl, base, doi: item.DOI });
  const skippedDates = chooseDate(rankByTrust(statements)).problems;
  return {
    type: "item",
    item: url === undefined ? item : { ...item, url },
    evidence: vocabularies.filter((vocabulary) => statements[vocabulary] !== undefined),
    titleFrom,
    linked,
    ...findRecipeOrigins(item, { statements, readings: page.recipes }),
    problems: [...describeProblems(parts, item), ...foreign, ...skippedDates, ...page.problems],
  };
}

/** Compares an item with the item that the page has without recipes. */
function findRecipeOrigins(
  item: ZoteroItem,
  { statements, readings }: { statements: MetadataByVocabulary; readings: readonly RecipeReading[] },
): { recipes?: RecipeOrigins } {
  if (readings.length === 0) return {};
  const alone = mergeMetadata({ ...statements, override: undefined, recipe: undefined });
  const origins = readings.flatMap(({ field, recipeId: id }) => {
    const name = itemFields[field];
    if (name === undefined || isDeepStrictEqual(item[name], alone[name])) return [];
    const stated = alone[name];
    const without = Array.isArray(stated) && stated.length === 0 ? undefined : stated;
    return [[name, { id, ...(without !== undefined && { without }) }] as const];
  });
  return origins.length === 0 ? {} : { recipes: Object.fromEntries(origins) };
}

function readVocabularies(
  parts: PageParts,
  { overriding, metadata }: Pick<RecipeResult, "overriding" | "metadata">,
): { own: MetadataByVocabulary; problems: string[] } {
  const jsonLd = readJsonLd(parts.jsonLd);
  const others: MetadataByVocabulary = {
    override: overriding,
    highwire: readHighwire(parts.metas),
    prism: readPrism(parts.metas),
    eprints: readEprints(parts.metas),
    recipe: metadata,
    "dublin-core": readDublinCore(parts.metas),
    "json-ld": jsonLd.statement,
    "open-graph": readOpenGraph(parts.metas),
    html: readHtmlHead(parts),
  };
  const coinsMetadata = parseCoins(parts.coins);
  const coins = chooseOwnWork(coinsMetadata, others);
  const areCited = coinsMetadata.length > 0 && coins === undefined;
  return {
    own: { ...others, coins },
    problems: [...jsonLd.problems, ...(areCited ? ["coins: only works that the page cites"] : [])],
  };
}

/** Vocabularies that describe the page rather than the article. */
const siteVocabularies: ReadonlySet<Vocabulary> = new Set(["html", "open-graph", "json-ld"]);

/**
 * Chooses the article's URL: the canonical URL, that of the most trusted vocabulary, or the page's own URL, in this
 * order. URLs in vocabularies that describe the page must be on the page's site or be the URL of its DOI.
 * @returns `foreign`: warnings about rejected URLs
 */
function chooseUrl(
  statements: MetadataByVocabulary,
  { page, base, doi }: { page: string; base: string; doi: string | undefined },
): { url: string | undefined; foreign: string[] } {
  const site = siteOf(new URL(page));
  const isOwn = (url: string) =>
    siteOf(new URL(url)) === site ||
    (doi !== undefined && parseDoi(url) !== undefined && doiKey(url) === doiKey(doi));
  const inOrder: Vocabulary[] = ["html", ...vocabularies];
  const foreign = new Set<string>();
  for (const vocabulary of inOrder) {
    const url = resolveUrl(statements[vocabulary]?.url, base);
    // Some sites declare their front page as the canonical URL of every article, which would merge all articles into
    // one.
    if (url === undefined || isFrontPage(url)) continue;
    if (!siteVocabularies.has(vocabulary) || isOwn(url)) {
      // The article's own metadata may confirm the URL.
      foreign.delete(url);
      return { url, foreign: describeForeign(foreign) };
    }
    foreign.add(url);
  }
  return { url: resolveUrl(page, page), foreign: describeForeign(foreign) };
}

function describeForeign(urls: ReadonlySet<string>): string[] {
  return [...urls].map(
    (url) => `the page gives ${url} as its URL, which is on another site and was not used`,
  );
}

function isFrontPage(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === "/" && search === "";
}

function describeProblems(parts: PageParts, item: ZoteroItem): string[] {
  const { abstractNote = "" } = item;
  const kinds = [
    ...(isCut(abstractNote) ? [`the abstract is cut at "${abstractNote.slice(-30)}"`] : []),
    ...[...parts.exceeded].map((kind) => `more ${kind} than the limit`),
    ...describeOrcidProblems(parts),
  ];
  return item.creators?.length === maxCreators ? [...kinds, "more creators than the limit"] : kinds;
}

function describeOrcidProblems({ metas, jsonLd }: PageParts): string[] {
  const stated = metas.filter(({ name }) => name.includes("orcid")).map(({ content }) => content);
  const linked = jsonLd.flatMap((block) => block.match(/\borcid\.org\\?\/[\dX-]{19}/gi) ?? []);
  return findInvalidOrcids([...stated, ...linked]).map((id) => `ORCID ${id} has a wrong check digit`);
}

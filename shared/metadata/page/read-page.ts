import { doiKey, parseDoi } from "../../identifiers/doi.ts";
import { findInvalidOrcids } from "../../identifiers/orcid.ts";
import { siteOf } from "../../web/address/site.ts";
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
import { resolveUrl } from "./resolve-url.ts";

/** A page whose vocabularies are read, so that it can be described alone and with what its linked records say. */
export interface ParsedPage {
  type: "parsed";
  /** The address that answered, after redirects. */
  url: string;
  /** What relative addresses are relative to. */
  base: string;
  parts: PageParts;
  /** What the page itself says, by vocabulary. */
  metadata: MetadataByVocabulary;
  problems: string[];
}

export type PageReading =
  | {
      type: "item";
      item: ZoteroItem;
      /** The vocabularies found, most trusted first. */
      evidence: Vocabulary[];
      titleFrom: Vocabulary;
      /** Records of the article that the page offers elsewhere. */
      linked: LinkedMetadata[];
      /** What was left out or looks wrong, one sentence each. */
      problems: string[];
    }
  | NotAPage;

interface NotAPage {
  type: "not-a-page";
  reason: NotAPageReason;
  detail: string;
  linked?: LinkedMetadata[];
}

/** What a page's linked record says: of its own work, or of several. */
export interface LinkedMetadataRecords {
  vocabulary: "unapi" | "mods" | "ris" | "bibtex" | "oai-dc";
  records: ArticleMetadata[];
}

/**
 * - `empty`: no bytes, or white space alone
 * - `not-html`: another media type, binary data, or markup that is no HTML, such as a feed
 * - `encoding`: the page names an encoding that must not be decoded
 * - `no-title`: it is HTML, but nothing in it is a title
 */
export type NotAPageReason = "empty" | "not-html" | "encoding" | "no-title";

/** Elements that HTML may begin with; `html`, `head` and `body` can be left out. */
const firstElements = new Set(
  "html head body title meta link base script style div p h1 h2 table center a span font noscript".split(" "),
);

interface PageHints {
  /** The response's header. */
  contentType?: string | undefined;
  /** The address that answered, after redirects. */
  url: string;
}

/**
 * The article that a page describes, as the item that Zotero's Embedded Metadata translator would make of it, with
 * JSON-LD, COinS, ORCID iDs, further abstracts and licences besides. No script is run and nothing is fetched.
 * @param bytes the body as received, decompressed
 */
export function readPageItem(bytes: Uint8Array, hints: PageHints): PageReading {
  const page = parsePage(bytes, hints);
  return page.type === "parsed" ? buildPageReading(page) : page;
}

/** The first half of `readPage`: all that does not depend on the page's linked records. */
export function parsePage(bytes: Uint8Array, { contentType, url }: PageHints): ParsedPage | NotAPage {
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

  const { own: metadata, problems } = readVocabularies(parts);
  const unreadable = decoded.text.includes("\ufffd") ? [`unreadable characters in ${decoded.encoding}`] : [];
  return {
    type: "parsed",
    url,
    base: resolveUrl(parts.baseUrl, url) ?? url,
    parts,
    metadata,
    problems: [...problems, ...unreadable],
  };
}

/**
 * The second half of `readPage`.
 * @param record what was found in a record that the page links to
 */
export function buildPageReading(page: ParsedPage, record?: LinkedMetadataRecords): PageReading {
  const { url: address, base, parts, metadata } = page;
  const statements =
    record === undefined
      ? metadata
      : { ...metadata, [record.vocabulary]: chooseOwnWork(record.records, metadata) };
  const linked = findLinkedMetadata(parts, base);
  const titleFrom = vocabularies.find((vocabulary) => statements[vocabulary]?.title !== undefined);
  if (titleFrom === undefined)
    return { type: "not-a-page", reason: "no-title", detail: "nothing on the page is a title", linked };

  const item = mergeMetadata(statements);
  const { url, foreign } = chooseUrl(statements, { page: address, base, doi: item.DOI });
  const passedOver = chooseDate(rankByTrust(statements)).problems;
  return {
    type: "item",
    item: url === undefined ? item : { ...item, url },
    evidence: vocabularies.filter((vocabulary) => statements[vocabulary] !== undefined),
    titleFrom,
    linked,
    problems: [...describeProblems(parts, item), ...foreign, ...passedOver, ...page.problems],
  };
}

function readVocabularies(parts: PageParts): { own: MetadataByVocabulary; problems: string[] } {
  const jsonLd = readJsonLd(parts.jsonLd);
  const others: MetadataByVocabulary = {
    highwire: readHighwire(parts.metas),
    prism: readPrism(parts.metas),
    eprints: readEprints(parts.metas),
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

/** What is said of the page as a page of its site, and not of the article. */
const siteVocabularies: ReadonlySet<Vocabulary> = new Set(["html", "open-graph", "json-ld"]);

/**
 * The canonical address, else the most trusted vocabulary's, else the page's own. What the page says of itself is believed
 * of its own site, and of its DOI: an address elsewhere would be the only one of the record.
 * @returns `foreign`: what was passed over
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
    // Some sites name their front page as the canonical address of every article: that would make them all one.
    if (url === undefined || isFrontPage(url)) continue;
    if (!siteVocabularies.has(vocabulary) || isOwn(url)) return { url, foreign: [...foreign] };
    foreign.add(`the page gives ${url} as its address, which is of another site, and was not believed`);
  }
  return { url: resolveUrl(page, page), foreign: [...foreign] };
}

function isFrontPage(address: string): boolean {
  const { pathname, search } = new URL(address);
  return pathname === "/" && search === "";
}

function describeProblems(parts: PageParts, item: ZoteroItem): string[] {
  const kinds = [
    ...[...parts.exceeded].map((kind) => `more ${kind} than are read`),
    ...describeOrcidProblems(parts),
  ];
  return item.creators?.length === maxCreators ? [...kinds, "more creators than are read"] : kinds;
}

function describeOrcidProblems({ metas, jsonLd }: PageParts): string[] {
  const stated = metas.filter(({ name }) => name.includes("orcid")).map(({ content }) => content);
  const linked = jsonLd.flatMap((block) => block.match(/\borcid\.org\\?\/[\dX-]{19}/gi) ?? []);
  return findInvalidOrcids([...stated, ...linked]).map((id) => `ORCID ${id} has a wrong check digit`);
}

import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIsbns } from "../../identifiers/isbn.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import { isRorId } from "../../identifiers/ror.ts";
import type { ArticleMetadata, MetadataCreator } from "../article-metadata.ts";
import {
  buildPersonCreator,
  parseCreatorName,
  parseCreators,
  withOrcid,
  withStatedKind,
} from "../creator-names.ts";
import { maxCreators } from "../limits.ts";
import { formatPageRange } from "../page-range.ts";
import { plainText } from "../plain-text.ts";
import { splitKeywords, splitSingleKeywords } from "../split-keywords.ts";
import {
  isNode,
  type JsonLdGraph,
  type JsonLdNode,
  propertyTexts,
  readJsonLdGraph,
  typesOf,
  valuesOf,
} from "./json-ld-nodes.ts";

/** Item types by schema.org type, the most specific first. `article` is an unspecified type of article. */
const itemTypes = new Map([
  ["ScholarlyArticle", "journalArticle"],
  ["MedicalScholarlyArticle", "journalArticle"],
  ["Thesis", "thesis"],
  ["Chapter", "bookSection"],
  ["Report", "report"],
  ["NewsArticle", "newspaperArticle"],
  ["ReportageNewsArticle", "newspaperArticle"],
  ["OpinionNewsArticle", "newspaperArticle"],
  ["AnalysisNewsArticle", "newspaperArticle"],
  ["BlogPosting", "blogPost"],
  ["Article", "article"],
  ["TechArticle", "article"],
  ["Book", "book"],
]);

/**
 * The type Organization and those below it.
 * @see https://schema.org/Organization
 */
const bodyTypes =
  /(?:Organization|Corporation|Consortium|University|School|Library|LibrarySystem|NGO|PoliticalParty|Business|Project|Team|Group|Agency|Office)$/;

const periodicalTypes = ["Periodical", "Newspaper", "Magazine", "Journal"];

/**
 * The number of containers that are visited between an article and its periodical. The model of schema.org has three.
 */
const maxContainers = 6;

interface JsonLdReading {
  statement?: ArticleMetadata;
  problems: string[];
}

/**
 * Reads the article from schema.org JSON-LD, which is the work with the most specific type. Volume, issue and journal
 * may be properties of any container of the article.
 * @see https://schema.org/ScholarlyArticle
 */
export function readJsonLd(blocks: readonly string[]): JsonLdReading {
  const graph = readJsonLdGraph(blocks);
  for (const [type, itemType] of itemTypes) {
    const work = graph.nodes.find((node) => typesOf(node).includes(type));
    if (work !== undefined) return { statement: readWork(work, itemType, graph), problems: graph.problems };
  }
  return { problems: graph.problems };
}

function readWork(work: JsonLdNode, itemType: string, graph: JsonLdGraph): ArticleMetadata {
  const text = (property: string) => propertyTexts(work, property, graph)[0];
  const containers = containersOf(work, graph);
  const inContainers = (property: string) =>
    [work, ...containers].flatMap((node) => propertyTexts(node, property, graph));
  const periodical = containers.find((node) => typesOf(node).some((type) => periodicalTypes.includes(type)));
  const book = containers.find((node) => typesOf(node).includes("Book"));
  const names = ["identifier", "doi", "sameAs", "@id", "url"].flatMap((property) =>
    propertyTexts(work, property, graph),
  );
  return {
    itemType: itemType === "article" ? periodical && "journalArticle" : itemType,
    likelyType: itemType,
    title: text("headline") ?? text("name"),
    alternativeTitles: propertyTexts(work, "alternativeHeadline", graph),
    creators: readCreators(work, graph),
    date: text("datePublished") ?? inContainers("datePublished")[0] ?? text("dateCreated"),
    publicationTitle: nameIn(periodical, graph) ?? nameIn(book, graph),
    volume: inContainers("volumeNumber")[0],
    issue: inContainers("issueNumber")[0],
    pages: text("pagination") ?? formatPageRange(text("pageStart"), text("pageEnd")),
    DOI: findFirstDoi(names),
    ISSN: normalizeIssns(inContainers("issn")),
    ISBN: normalizeIsbns(inContainers("isbn")),
    language: languageOf(work, graph),
    url: text("url"),
    publisher: text("publisher"),
    abstracts: propertyTexts(work, "abstract", graph).map((abstract) => ({ text: abstract })),
    description: text("description"),
    keywords: readKeywords(work, graph),
    rights: [...readLicences(work, graph), ...propertyTexts(work, "copyrightNotice", graph)],
  };
}

/** Reads keywords. A list has one keyword per entry, whereas a text contains all keywords. */
function readKeywords(work: JsonLdNode, graph: JsonLdGraph): string[] {
  const split = Array.isArray(work.keywords) ? splitSingleKeywords : splitKeywords;
  return split(propertyTexts(work, "keywords", graph));
}

/**
 * Returns the URL of each licence, or its name if it has no URL. A name such as "Attribution 4.0" does not identify the
 * licence.
 */
function readLicences(work: JsonLdNode, graph: JsonLdGraph): string[] {
  return valuesOf(work, "license", graph).flatMap((licence) =>
    isNode(licence)
      ? (["url", "@id", "name"].map((key) => propertyTexts(licence, key, graph)[0]).find(Boolean) ?? [])
      : propertyTexts({ licence }, "licence", graph),
  );
}

/** Returns the containers of a work (`isPartOf`), the nearest first. Web sites and pages are ignored. */
function containersOf(work: JsonLdNode, graph: JsonLdGraph): JsonLdNode[] {
  const containers: JsonLdNode[] = [];
  const seen = new Set<JsonLdNode>([work]);
  let level = [work];
  while (level.length > 0 && containers.length < maxContainers) {
    level = level
      .flatMap((node) => valuesOf(node, "isPartOf", graph).filter(isNode))
      .filter((node) => !seen.has(node) && !typesOf(node).some((type) => /^Web(?:Site|Page)$/.test(type)));
    for (const node of level) seen.add(node);
    containers.push(...level);
  }
  return containers.slice(0, maxContainers);
}

function nameIn(node: JsonLdNode | undefined, graph: JsonLdGraph): string | undefined {
  return node && (propertyTexts(node, "name", graph)[0] ?? propertyTexts(node, "headline", graph)[0]);
}

function languageOf(work: JsonLdNode, graph: JsonLdGraph): string | undefined {
  const [language] = valuesOf(work, "inLanguage", graph);
  if (!isNode(language)) return plainText(typeof language === "string" ? language : undefined);
  return propertyTexts(language, "alternateName", graph)[0] ?? propertyTexts(language, "name", graph)[0];
}

function readCreators(work: JsonLdNode, graph: JsonLdGraph): MetadataCreator[] {
  const named = (property: string, creatorType: string) => {
    const values = valuesOf(work, property, graph).slice(0, maxCreators);
    const names = values.filter((value) => typeof value === "string");
    if (names.length === values.length) return parseCreators(names, creatorType);
    return values
      .map((value) => readCreator(value, creatorType, graph))
      .filter((creator) => creator !== undefined);
  };
  const authors = named("author", "author");
  return [
    ...(authors.length > 0 ? authors : named("creator", "author")),
    ...named("editor", "editor"),
    ...named("translator", "translator"),
  ];
}

function readCreator(value: unknown, creatorType: string, graph: JsonLdGraph): MetadataCreator | undefined {
  if (!isNode(value))
    return typeof value === "string" ? parseCreatorName(plainText(value) ?? "", creatorType) : undefined;

  const text = (property: string) => propertyTexts(value, property, graph)[0];
  const ids = ["@id", "identifier", "sameAs", "url"].flatMap((property) =>
    propertyTexts(value, property, graph),
  );
  const first = text("givenName");
  const last = text("familyName");
  const name = text("name");
  const isBody = typesOf(value).some((type) => bodyTypes.test(type)) || ids.some(isRorId);
  if (isBody) return name === undefined ? undefined : withStatedKind({ creatorType, name }, "body");
  if (first !== undefined && last !== undefined)
    return withOrcid(withStatedKind(buildPersonCreator(first, last, creatorType), "person"), ids);
  const creator = parseCreatorName(name ?? last ?? "", creatorType);
  return creator && withOrcid(creator, ids);
}

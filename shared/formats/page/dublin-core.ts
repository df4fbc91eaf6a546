import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIsbns } from "../../identifiers/isbn.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import { chooseStatedDate } from "../article-dates.ts";
import type { ArticleMetadata } from "../article-metadata.ts";
import { parseCreators, withStatedKind } from "../creator-names.ts";
import { formatPageRange } from "../page-range.ts";
import { MetaValues, stripPrefix } from "./meta-values.ts";
import type { Meta } from "./page-parts.ts";

/**
 * Item types by the letters of `dc.type`. The terms are those of DCMI, COAR, info:eu-repo, DSpace, EPrints and OJS.
 * @see https://vocabularies.coar-repositories.org/resource_types/
 */
const itemTypes = new Map([
  ["article", "journalArticle"],
  ["journalarticle", "journalArticle"],
  ["researcharticle", "journalArticle"],
  ["reviewarticle", "journalArticle"],
  ["scholarlytext", "journalArticle"],
  ["textserialjournal", "journalArticle"],
  ["magazinearticle", "magazineArticle"],
  ["newspaperarticle", "newspaperArticle"],
  ["newsitem", "newspaperArticle"],
  ["conferencepaper", "conferencePaper"],
  ["conferenceitem", "conferencePaper"],
  ["conferenceobject", "conferencePaper"],
  ["conferenceposter", "conferencePaper"],
  ["bookpart", "bookSection"],
  ["bookchapter", "bookSection"],
  ["bookitem", "bookSection"],
  ["book", "book"],
  ["thesis", "thesis"],
  ["bachelorthesis", "thesis"],
  ["masterthesis", "thesis"],
  ["doctoralthesis", "thesis"],
  ["dissertation", "thesis"],
  ["report", "report"],
  ["technicalreport", "report"],
  ["workingpaper", "report"],
]);

/**
 * The letters of `dc.type` terms for resources that are not text. With any other term, a resource with authors and a
 * DOI is an article.
 */
const otherTypes: ReadonlySet<string> = new Set(
  "dataset image stillimage movingimage sound software collection event physicalobject interactiveresource service".split(
    " ",
  ),
);

/**
 * Reads Dublin Core: simple (`DC.creator`), terms (`DCTERMS.issued`) and the qualified form of OJS (`DC.Source.Volume`).
 * @see https://www.dublincore.org/specifications/dublin-core/dcq-html/
 */
export function readDublinCore(metas: readonly Meta[]): ArticleMetadata | undefined {
  const values = new MetaValues(metas, stripPrefix("dc", "dcterms"));
  if (values.isEmpty) return undefined;

  const source = values.text("source", "ispartof", "relation.ispartof");
  const identifiers = values.texts("identifier.doi", "identifier", "identifier.uri");
  const authors = values.firstNonEmpty(
    "creator.personalname",
    "creator",
    "contributor.author",
    "contributor",
  );
  const types = values.all("type").map(typeTerm);
  const bodies = values.texts("creator.corporatename", "contributor.corporatename");
  const creators = [
    ...parseCreators(authors),
    ...bodies.map((name) => withStatedKind({ creatorType: "author", name }, "body")),
    ...parseCreators(values.all("contributor.editor"), "editor"),
  ];
  const DOI = findFirstDoi(identifiers);
  const itemType = types.map((type) => itemTypes.get(type)).find((type) => type !== undefined);
  // Publishers on Atypon use their own types: "other", "brief-report", "article-commentary".
  const hasOwnType =
    itemType === undefined && types.length > 0 && !types.some((type) => otherTypes.has(type));
  const isArticle = hasOwnType && creators.length > 0 && DOI !== undefined;
  return {
    itemType,
    likelyType: values.text("source.issn", "source.volume") || isArticle ? "journalArticle" : undefined,
    title: values.text("title"),
    alternativeTitles: values.texts("title.alternative", "alternative"),
    creators,
    ...chooseStatedDate(
      values.texts("date.issued", "issued", "date.published", "date", "available", "date.created", "created"),
    ),
    publicationTitle: source !== undefined && isName(source) ? source : undefined,
    volume: values.text("source.volume", "citation.volume"),
    issue: values.text("source.issue", "citation.issue"),
    pages:
      values.text("identifier.pagenumber") ??
      formatPageRange(
        values.text("citation.spage", "relation.spage"),
        values.text("citation.epage", "relation.epage"),
      ),
    DOI,
    ISSN: normalizeIssns(values.firstNonEmpty("source.issn", "identifier.issn", "relation.issn")),
    ISBN: normalizeIsbns(values.all("identifier.isbn")),
    language: values.text("language", "language.iso"),
    url: identifiers.find((identifier) => /^https?:/i.test(identifier)),
    publisher: values.text("publisher"),
    abstracts: values.localizedTexts("abstract", "description.abstract", "description"),
    keywords: values.singleKeywords("subject"),
    rights: values.texts("rights", "rights.license", "license", "rights.uri"),
  };
}

/** Returns the letters of a term, in lower case, without the vocabulary. */
function typeTerm(value: string): string {
  return value
    .toLowerCase()
    .replace(/^info:eu-repo\/semantics\//, "")
    .replace(/[^a-z]/g, "");
}

/** Decides whether a source is a journal title. Repositories also write citations, URLs and ISSNs into this field. */
function isName(source: string): boolean {
  return !/https?:|\bISSN\b|\d{4}-\d{3}[\dX]|\b(?:vol|pp)\.|\d\s?\(\d+\)/i.test(source);
}

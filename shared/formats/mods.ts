import { findFirstDoi } from "../identifiers/doi.ts";
import { normalizeIsbns } from "../identifiers/isbn.ts";
import { normalizeIssns } from "../identifiers/issn.ts";
import { isRorId } from "../identifiers/ror.ts";
import { childOf, childrenOf, parseXmlTree, type XmlElement } from "../xml/xml-tree.ts";
import type { ArticleMetadata, MetadataCreator } from "./article-metadata.ts";
import { buildPersonCreator, parseCreatorName, withStatedKind } from "./creator-names.ts";
import { maxCreators, maxKeywords } from "./limits.ts";
import { formatPageRange } from "./page-range.ts";
import { plainText, plainTexts } from "./plain-text.ts";
import { maxRecords, type RecordFileResult } from "./record-file-result.ts";

/** Item types by genre, in lower case. The genres are terms of marcgt and of EPrints. */
const itemTypes = new Map([
  ["article", "journalArticle"],
  ["journal article", "journalArticle"],
  ["academic journal", "journalArticle"],
  ["book", "book"],
  ["book section", "bookSection"],
  ["book chapter", "bookSection"],
  ["conference publication", "conferencePaper"],
  ["conference or workshop item", "conferencePaper"],
  ["newspaper", "newspaperArticle"],
  ["report", "report"],
  ["technical report", "report"],
  ["theses", "thesis"],
  ["thesis", "thesis"],
]);

/** Creator types by role. A name without a role is an author. */
const creatorTypesByRole = new Map([
  ["author", "author"],
  ["aut", "author"],
  ["creator", "author"],
  ["cre", "author"],
  ["editor", "editor"],
  ["edt", "editor"],
  ["translator", "translator"],
  ["trl", "translator"],
]);

/**
 * Parses a MODS file, which contains a `mods` or a `modsCollection` element.
 * @see https://www.loc.gov/standards/mods/userguide/
 */
export function parseMods(text: string): RecordFileResult {
  const reading = parseXmlTree(text, { url: "https://mods.invalid/", lenient: false });
  if (reading.type === "broken") return { type: "unreadable", detail: reading.problem };
  const { root } = reading;
  const records = root.name === "mods:mods" ? [root] : childrenOf(root, "mods:mods").slice(0, maxRecords);
  return records.length === 0
    ? { type: "unreadable", detail: "it has no mods element" }
    : { type: "records", records: records.map(mapRecord) };
}

function mapRecord(record: XmlElement): ArticleMetadata {
  const host = childrenNamed(record, "relatedItem").find(({ attributes }) => attributes.type === "host");
  const part = childNamed(host, "part") ?? childNamed(record, "part");
  const isJournal = readDetail(part, "volume") !== undefined || readIdentifiers([host], "issn").length > 0;
  const genres = [...childrenNamed(record, "genre"), ...childrenNamed(host, "genre")].map(({ text }) =>
    text.trim().toLowerCase(),
  );
  const genre = genres.map((word) => itemTypes.get(word)).find((type) => type !== undefined);
  const extent = childrenNamed(part, "extent").find(({ attributes }) =>
    /^pages?$/.test(attributes.unit ?? ""),
  );
  const origins = [childNamed(record, "originInfo"), childNamed(host, "originInfo")];
  const first = (name: string) => origins.map((origin) => childText(origin, name)).find(Boolean);
  return {
    itemType: genre ?? (host === undefined ? undefined : isJournal ? "journalArticle" : "bookSection"),
    title: readTitle(record),
    creators: childrenNamed(record, "name").slice(0, maxCreators).flatMap(readName),
    date: first("dateIssued") ?? childText(part, "date") ?? first("copyrightDate") ?? first("dateCreated"),
    publicationTitle: readTitle(host),
    volume: readDetail(part, "volume"),
    issue: readDetail(part, "issue") ?? readDetail(part, "number"),
    pages: formatPageRange(childText(extent, "start"), childText(extent, "end")) ?? childText(extent, "list"),
    DOI: findFirstDoi([...readIdentifiers([record], "doi"), ...readIdentifiers([record], "uri")]),
    ISSN: normalizeIssns(readIdentifiers([record, host], "issn")),
    ISBN: normalizeIsbns(readIdentifiers([record, host], "isbn")),
    language: childText(childNamed(record, "language"), "languageTerm"),
    url: [
      ...childrenNamed(childNamed(record, "location"), "url").map(({ text }) => text),
      ...readIdentifiers([record], "uri"),
    ][0],
    publisher: first("publisher"),
    abstracts: plainTexts(childrenNamed(record, "abstract").map(({ text }) => text)).map((text) => ({
      text,
    })),
    keywords: plainTexts(
      childrenNamed(record, "subject")
        .flatMap((subject) => childrenNamed(subject, "topic"))
        .slice(0, maxKeywords)
        .map(({ text }) => text),
    ),
    rights: plainTexts(childrenNamed(record, "accessCondition").map(({ text }) => text)),
  };
}

/** Returns the title proper, not an abbreviated or translated title. */
function readTitle(element: XmlElement | undefined): string | undefined {
  const info = childrenNamed(element, "titleInfo").find(({ attributes }) => attributes.type === undefined);
  const title = [childText(info, "nonSort"), childText(info, "title")].filter(Boolean).join(" ");
  const subtitle = childText(info, "subTitle");
  return plainText(subtitle === undefined ? title : `${title}: ${subtitle}`);
}

function readName(name: XmlElement): MetadataCreator[] {
  const parts = (type: string | undefined) =>
    plainTexts(
      childrenNamed(name, "namePart")
        .filter(({ attributes }) => attributes.type === type)
        .map(({ text }) => text),
    ).join(" ");
  const roles = childrenNamed(name, "role").flatMap((role) => childrenNamed(role, "roleTerm"));
  const role = roles.map(({ text }) => creatorTypesByRole.get(text.trim().toLowerCase())).find(Boolean);
  if (roles.length > 0 && role === undefined) return [];
  const creatorType = role ?? "author";
  const whole = parts(undefined);
  if (parts("family") !== "") return [buildPersonCreator(parts("given"), parts("family"), creatorType)];
  if (whole === "") return [];
  const isBody = name.attributes.type === "corporate" || isRorId(name.attributes.valueURI ?? "");
  if (isBody) return [withStatedKind({ creatorType, name: whole }, "body")];
  return [parseCreatorName(whole, creatorType)].filter((creator) => creator !== undefined);
}

function readDetail(part: XmlElement | undefined, type: string): string | undefined {
  return childText(
    childrenNamed(part, "detail").find(({ attributes }) => attributes.type === type),
    "number",
  );
}

function readIdentifiers(elements: (XmlElement | undefined)[], type: string): string[] {
  return elements
    .flatMap((element) => childrenNamed(element, "identifier"))
    .filter(({ attributes }) => attributes.type?.toLowerCase() === type)
    .map(({ text }) => text.trim());
}

function childrenNamed(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element === undefined ? [] : childrenOf(element, `mods:${name}`);
}

function childNamed(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element && childOf(element, `mods:${name}`);
}

function childText(element: XmlElement | undefined, name: string): string | undefined {
  return plainText(childNamed(element, name)?.text);
}

import { firstDoi } from "../doi.ts";
import { nameCreator, personCreator } from "../page/creator-names.ts";
import { normalizeIsbns, normalizeIssns, pageRange } from "../page/identifiers.ts";
import { MAX_CREATORS, MAX_KEYWORDS } from "../page/limits.ts";
import { plainText, plainTexts } from "../page/page-text.ts";
import type { StatedCreator, Statement } from "../page/statement.ts";
import { childOf, childrenOf, readXmlTree, type XmlElement } from "../xml/xml-tree.ts";
import { type FileReading, MAX_RECORDS } from "./linked-file.ts";

/** Item types by genre, in small letters: words of marcgt, and what EPrints writes. */
const TYPES = new Map([
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

/** Of names without a role the first are authors. */
const ROLES = new Map([
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
 * The records of a MODS file: one `mods`, or a `modsCollection` of them.
 * @see https://www.loc.gov/standards/mods/userguide/
 */
export function readMods(text: string): FileReading {
  const reading = readXmlTree(text, { url: "https://mods.invalid/", lenient: false });
  if (reading.type === "broken") return { type: "unreadable", detail: reading.problem };
  const { root } = reading;
  const records = root.name === "mods:mods" ? [root] : childrenOf(root, "mods:mods").slice(0, MAX_RECORDS);
  return records.length === 0
    ? { type: "unreadable", detail: "it has no element mods" }
    : { type: "records", records: records.map(stateRecord) };
}

function stateRecord(record: XmlElement): Statement {
  const host = of(record, "relatedItem").find(({ attributes }) => attributes.type === "host");
  const part = find(host, "part") ?? find(record, "part");
  const isJournal = detail(part, "volume") !== undefined || identifiers([host], "issn").length > 0;
  const genres = [...of(record, "genre"), ...of(host, "genre")].map(({ text }) => text.trim().toLowerCase());
  const genre = genres.map((word) => TYPES.get(word)).find((type) => type !== undefined);
  const extent = of(part, "extent").find(({ attributes }) => /^pages?$/.test(attributes.unit ?? ""));
  const origins = [find(record, "originInfo"), find(host, "originInfo")];
  const first = (name: string) => origins.map((origin) => textOf(origin, name)).find(Boolean);
  return {
    itemType: genre ?? (host === undefined ? undefined : isJournal ? "journalArticle" : "bookSection"),
    title: titleOf(record),
    creators: of(record, "name").slice(0, MAX_CREATORS).flatMap(readName),
    date: first("dateIssued") ?? textOf(part, "date") ?? first("copyrightDate") ?? first("dateCreated"),
    publicationTitle: titleOf(host),
    volume: detail(part, "volume"),
    issue: detail(part, "issue") ?? detail(part, "number"),
    pages: pageRange(textOf(extent, "start"), textOf(extent, "end")) ?? textOf(extent, "list"),
    DOI: firstDoi([...identifiers([record], "doi"), ...identifiers([record], "uri")]),
    ISSN: normalizeIssns(identifiers([record, host], "issn")),
    ISBN: normalizeIsbns(identifiers([record, host], "isbn")),
    language: textOf(find(record, "language"), "languageTerm"),
    url: [...of(find(record, "location"), "url").map(({ text }) => text), ...identifiers([record], "uri")][0],
    publisher: first("publisher"),
    abstracts: plainTexts(of(record, "abstract").map(({ text }) => text)).map((text) => ({ text })),
    keywords: plainTexts(
      of(record, "subject")
        .flatMap((subject) => of(subject, "topic"))
        .slice(0, MAX_KEYWORDS)
        .map(({ text }) => text),
    ),
    rights: plainTexts(of(record, "accessCondition").map(({ text }) => text)),
  };
}

/** The title proper, as it is printed: not the abbreviated or translated one. */
function titleOf(element: XmlElement | undefined): string | undefined {
  const info = of(element, "titleInfo").find(({ attributes }) => attributes.type === undefined);
  const title = [textOf(info, "nonSort"), textOf(info, "title")].filter(Boolean).join(" ");
  const subtitle = textOf(info, "subTitle");
  return plainText(subtitle === undefined ? title : `${title}: ${subtitle}`);
}

function readName(name: XmlElement): StatedCreator[] {
  const parts = (type: string | undefined) =>
    plainTexts(
      of(name, "namePart")
        .filter(({ attributes }) => attributes.type === type)
        .map(({ text }) => text),
    ).join(" ");
  const roles = of(name, "role").flatMap((role) => of(role, "roleTerm"));
  const role = roles.map(({ text }) => ROLES.get(text.trim().toLowerCase())).find(Boolean);
  if (roles.length > 0 && role === undefined) return [];
  const creatorType = role ?? "author";
  const whole = parts(undefined);
  if (parts("family") !== "") return [personCreator(parts("given"), parts("family"), creatorType)];
  if (whole === "") return [];
  if (name.attributes.type === "corporate") return [{ creatorType, name: whole }];
  return [nameCreator(whole, creatorType)].filter((creator) => creator !== undefined);
}

function detail(part: XmlElement | undefined, type: string): string | undefined {
  return textOf(
    of(part, "detail").find(({ attributes }) => attributes.type === type),
    "number",
  );
}

function identifiers(elements: (XmlElement | undefined)[], type: string): string[] {
  return elements
    .flatMap((element) => of(element, "identifier"))
    .filter(({ attributes }) => attributes.type?.toLowerCase() === type)
    .map(({ text }) => text.trim());
}

function of(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element === undefined ? [] : childrenOf(element, `mods:${name}`);
}

function find(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element && childOf(element, `mods:${name}`);
}

function textOf(element: XmlElement | undefined, name: string): string | undefined {
  return plainText(find(element, name)?.text);
}

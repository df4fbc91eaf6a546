import { findFirstDoi } from "../identifiers/doi.ts";
import { normalizeIsbns } from "../identifiers/isbn.ts";
import { normalizeIssns } from "../identifiers/issn.ts";
import type { ArticleMetadata } from "./article-metadata.ts";
import { parseCreatorList } from "./creator-names.ts";
import { maxCreators, maxKeywords } from "./limits.ts";
import { formatPageRange } from "./page-range.ts";
import { plainText, plainTexts } from "./plain-text.ts";
import { maxRecords, type RecordFileResult } from "./record-file-result.ts";

/** Item types by reference type (`TY`), as in Zotero's RIS translator. */
const itemTypes = new Map([
  ["ABST", "journalArticle"],
  ["BLOG", "blogPost"],
  ["BOOK", "book"],
  ["CHAP", "bookSection"],
  ["CONF", "conferencePaper"],
  ["CPAPER", "conferencePaper"],
  ["CTLG", "magazineArticle"],
  ["EBOOK", "book"],
  ["ECHAP", "bookSection"],
  ["EDBOOK", "book"],
  ["EJOUR", "journalArticle"],
  ["ELEC", "webpage"],
  ["GOVDOC", "report"],
  ["INPR", "manuscript"],
  ["JFULL", "journalArticle"],
  ["JOUR", "journalArticle"],
  ["MANSCPT", "manuscript"],
  ["MGZN", "magazineArticle"],
  ["NEWS", "newspaperArticle"],
  ["RPRT", "report"],
  ["SER", "book"],
  ["THES", "thesis"],
  ["WEB", "webpage"],
]);

/** A tag, two spaces and a hyphen. Some files have only one space, and nothing after `ER  -`. */
const line = /^([A-Z][A-Z0-9]) {1,2}-(?: (.*))?$/;

/** Values by tag, in the order of the record. */
type Fields = Map<string, string[]>;

/**
 * Parses a RIS file. A line without a tag continues the previous line. Lines before the first `TY` are skipped. A `TY`
 * inside a record starts the next record.
 * @see https://en.wikipedia.org/wiki/RIS_(file_format)
 * @see https://github.com/zotero/translators/blob/master/RIS.js the model for the meaning of tags
 */
export function parseRis(text: string): RecordFileResult {
  const records: Fields[] = [];
  let fields: Fields | undefined;
  let last: string[] | undefined;
  for (const rawLine of text.split(/\r\n?|\n/)) {
    const [, tag, value = ""] = line.exec(rawLine.trimEnd()) ?? [];
    if (tag === undefined) {
      const end = (last?.length ?? 0) - 1;
      if (last !== undefined && rawLine.trim() !== "") last[end] = `${last[end]}\n${rawLine}`;
      continue;
    }
    last = undefined;
    if (tag === "TY") {
      if (records.length >= maxRecords) break;
      fields = new Map([["TY", [value.trim().toUpperCase()]]]);
      records.push(fields);
    } else if (tag === "ER") {
      fields = undefined;
    } else if (fields !== undefined) {
      last = fields.get(tag) ?? [];
      if (last.length === 0) fields.set(tag, last);
      last.push(value);
    }
  }
  return records.length === 0
    ? { type: "unreadable", detail: "it has no line with TY" }
    : { type: "records", records: records.map(mapRecord) };
}

function mapRecord(fields: Fields): ArticleMetadata {
  const all = (...tags: string[]) => tags.flatMap((tag) => fields.get(tag) ?? []);
  const text = (...tags: string[]) => plainTexts(all(...tags))[0];
  const names = (type: string, ...tags: string[]) =>
    all(...tags)
      .slice(0, maxCreators)
      .flatMap((name) => parseCreatorList(name, type));
  const itemType = itemTypes.get(all("TY")[0] ?? "");
  const host = text("T2", "JF", "BT") ?? text("JO", "JA", "J2");
  const abbreviation = text("J2", "JA", "JO");
  const numbers = all("SN");
  const isThesis = itemType === "thesis";
  return {
    itemType,
    title: text("TI", "T1", "CT"),
    creators: [...names("author", "AU", "A1"), ...names("editor", "ED", "A2")].slice(0, maxCreators),
    date: mostPreciseDate(all("DA", "PY", "Y1")),
    publicationTitle: host,
    journalAbbreviation: abbreviation === host ? undefined : abbreviation,
    volume: text("VL"),
    issue: text("IS", "CP"),
    pages: formatPageRange(text("SP"), text("EP")),
    DOI: findFirstDoi(all("DO", "M3", "UR")),
    ISSN: normalizeIssns(numbers),
    ISBN: normalizeIsbns(numbers),
    language: text("LA"),
    url: all("UR").find((url) => /^\s*https?:/i.test(url)),
    publisher: isThesis ? undefined : text("PB"),
    university: isThesis ? text("PB") : undefined,
    abstracts: plainTexts(all("AB", "N2")).map((abstract) => ({ text: abstract })),
    keywords: plainTexts(
      all("KW")
        .flatMap((value) => value.split("\n"))
        .slice(0, maxKeywords),
    ),
  };
}

/**
 * Returns the most precise of the dates, and the first of equally precise ones. `YYYY/MM/DD/other` may lack any part.
 * Other formats are unchanged and count as less precise than a day.
 */
function mostPreciseDate(values: readonly string[]): string | undefined {
  const dates = values.map(normalizeDate).filter((date) => date !== undefined);
  const exactness = (date: string) => (/^\d{4}(?:-\d\d){0,2}$/.test(date) ? date.length : 5);
  return dates.toSorted((a, b) => exactness(b) - exactness(a))[0];
}

function normalizeDate(value: string): string | undefined {
  const parts = /^(\d{4})(?:[/-](\d{1,2})?(?:[/-](\d{1,2})?(?:\/.*)?)?)?$/.exec(value.trim());
  if (parts === null) return plainText(value);
  const [, year, month, day] = parts;
  const padded = [month, month && day].filter((part) => part !== undefined && part !== "");
  return [year, ...padded.map((part) => part?.padStart(2, "0"))].join("-");
}

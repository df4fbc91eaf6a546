import { findFirstDoi } from "../../identifiers/doi.ts";
import { normalizeIsbns } from "../../identifiers/isbn.ts";
import { normalizeIssns } from "../../identifiers/issn.ts";
import type { ArticleMetadata, MetadataCreator } from "../article-metadata.ts";
import { parseCreatorName } from "../creator-names.ts";
import { maxCreators } from "../limits.ts";
import { collapseSpace, plainText } from "../plain-text.ts";
import { maxRecords, type RecordFileResult } from "../record-file-result.ts";
import { splitKeywords } from "../split-keywords.ts";
import { type BibtexEntry, parseBibtexEntries } from "./bibtex-entries.ts";
import { latexToText } from "./latex.ts";

/** Item types by entry type, as in Zotero's BibTeX translator. `misc` has no item type. */
const itemTypes = new Map([
  ["article", "journalArticle"],
  ["book", "book"],
  ["booklet", "book"],
  ["conference", "conferencePaper"],
  ["electronic", "webpage"],
  ["inbook", "bookSection"],
  ["incollection", "bookSection"],
  ["inproceedings", "conferencePaper"],
  ["manual", "book"],
  ["mastersthesis", "thesis"],
  ["online", "webpage"],
  ["phdthesis", "thesis"],
  ["proceedings", "book"],
  ["report", "report"],
  ["techreport", "report"],
  ["thesis", "thesis"],
  ["unpublished", "manuscript"],
]);

/**
 * Parses a BibTeX or BibLaTeX file.
 * @see https://github.com/zotero/translators/blob/master/BibTeX.js the model for the meaning of fields
 */
export function parseBibtex(text: string): RecordFileResult {
  const records = parseBibtexEntries(text, maxRecords)
    .filter(({ fields }) => fields.size > 0)
    .map(mapEntry);
  return records.length === 0
    ? { type: "unreadable", detail: "it has no entry with a field" }
    : { type: "records", records };
}

function mapEntry({ type, fields }: BibtexEntry): ArticleMetadata {
  const raw = (name: string) => fields.get(name) ?? "";
  const text = (...names: string[]) =>
    names.map((name) => plainText(latexToText(raw(name)))).find((value) => value !== undefined);
  const itemType = itemTypes.get(type);
  const subtitle = text("subtitle");
  const title = text("title");
  return {
    itemType,
    title: title !== undefined && subtitle !== undefined ? `${title}: ${subtitle}` : title,
    creators: [...parseNames(raw("author"), "author"), ...parseNames(raw("editor"), "editor")].slice(
      0,
      maxCreators,
    ),
    date: text("date") ?? formatDate(text("year"), text("month"), text("day")),
    publicationTitle: text("journal", "journaltitle", "booktitle"),
    journalAbbreviation: text("shortjournal"),
    volume: text("volume"),
    issue: text("number", "issue"),
    pages: text("pages")?.replace(/\s*[-‐–—]+\s*/g, "-"),
    DOI: findFirstDoi([text("doi"), text("url")]),
    ISSN: normalizeIssns([text("issn")]),
    ISBN: normalizeIsbns([raw("isbn")]),
    language: text("language", "langid"),
    url: text("url"),
    publisher: text("publisher"),
    university: itemType === "thesis" ? text("school", "institution") : undefined,
    institution: itemType === "report" ? text("institution") : undefined,
    abstracts: [text("abstract")].filter((found) => found !== undefined).map((found) => ({ text: found })),
    keywords: splitKeywords([text("keywords") ?? ""]),
    rights: [text("copyright", "rights")].filter((found) => found !== undefined),
  };
}

/** Formats a date as `YYYY-MM-DD`, as far as its parts are known. A month in words becomes `Month YYYY`. */
function formatDate(year: string | undefined, month: string | undefined, day: string | undefined) {
  if (year === undefined || month === undefined) return year;
  if (!/^\d{1,2}$/.test(month)) return `${month} ${year}`;
  const isDay = day !== undefined && /^\d{1,2}$/.test(day);
  return [year, month.padStart(2, "0"), ...(isDay ? [day.padStart(2, "0")] : [])].join("-");
}

/** Splits names at `and`. A name completely in braces is not split. */
function parseNames(latex: string, creatorType: string): MetadataCreator[] {
  return splitOutsideBraces(collapseSpace(latex)).flatMap((name): MetadataCreator[] => {
    const text = plainText(latexToText(name));
    if (text === undefined || text.toLowerCase() === "others") return [];
    if (isEnclosed(name)) return [{ creatorType, name: text }];
    const [last, suffix, first, ...more] = text.split(",").map((part) => part.trim());
    const isWithSuffix = first !== undefined && more.length === 0;
    return [parseCreatorName(isWithSuffix ? `${last}, ${first} ${suffix}` : text, creatorType)].filter(
      (creator) => creator !== undefined,
    );
  });
}

function splitOutsideBraces(latex: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let from = 0;
  for (const found of latex.matchAll(/[{}]| and /gi)) {
    if (found[0] === "{") depth += 1;
    else if (found[0] === "}") depth -= 1;
    else if (depth <= 0) {
      names.push(latex.slice(from, found.index));
      from = found.index + found[0].length;
    }
  }
  return [...names, latex.slice(from)].map((name) => name.trim()).slice(0, maxCreators);
}

/** Decides whether a name is completely in braces: `{World Health Organization}`, but not `{Jane} {Doe}`. */
function isEnclosed(name: string): boolean {
  return /^\{(?:[^{}]|\{[^{}]*\})*\}$/.test(name);
}

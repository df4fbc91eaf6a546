// Input: nothing. Output: for each field of an item, which witness wins and how values are compared. Read by
// merge-statements.ts.

import { isNotAvailable } from "../../core/not-available.ts";
import { isReadableDate } from "../../formats/article-dates.ts";
import { normalizeForComparison, withoutMarks } from "../../formats/comparable-text.ts";
import type { ZoteroCreator, ZoteroItem } from "../../formats/zotero-item.ts";
import { doiKey } from "../../identifiers/doi.ts";
import type { ProvenanceField, Witness } from "../../records/origin/provenance.ts";

/** How the statements about one field are judged. */
interface FieldRule {
  /** The witnesses that are trusted for the field, the most trusted first. */
  order: readonly Witness[];
  /** A witness that is believed only when no other witness has any value, and that has no vote. */
  lastResort?: Witness;
  /** Decides whether a value is a placeholder, which any other value replaces. */
  isPlaceholder?: (value: string) => boolean;
  /** The name of the field in the provenance; absent when its origin is not kept. */
  keptAs?: ProvenanceField;
  /**
   * Decides whether two values may be the same statement. Where it is set, two independent witnesses that agree beat
   * the order.
   */
  agree?: (one: string, other: string) => boolean;
  /** Whether a contradiction is a finding. */
  isFinding?: true;
}

/**
 * The order of trust. The article's own page comes first. Crossref and DataCite have what the publisher deposited. A
 * translation server reads the page that Ingather reads, so it only fills gaps. A feed announces an article, often with
 * the site's defaults.
 */
export const orderOfTrust: readonly Witness[] = [
  "page",
  "linked-record",
  "crossref",
  "datacite",
  "translation-server",
  "feed",
];

/** The item types that any web page may have. */
const genericItemTypes: ReadonlySet<string> = new Set(["webpage", "blogPost"]);

const isGenericType = (type: string) => genericItemTypes.has(type);

/**
 * The one table that decides for each field which witness wins. Fields that are not listed are taken in the default
 * order, and their origin is not kept.
 *
 * | field | notes |
 * |---|---|
 * | date | the year of a feed is that of the announcement, so it wins only where no other witness has one; a contradiction is reported |
 * | itemType | every other type is more precise than that of a web page |
 * | volume, issue | `n/a` is a gap |
 * | url | the registries know only the URL of the DOI, which the record has anyway |
 */
export const fieldTable: Readonly<Record<string, FieldRule>> = {
  itemType: { order: orderOfTrust, isPlaceholder: isGenericType, keptAs: "type" },
  title: { order: orderOfTrust, agree: isPartOfOther, keptAs: "title", isFinding: true },
  creators: { order: orderOfTrust, agree: isSamePerson, keptAs: "creators", isFinding: true },
  date: {
    order: orderOfTrust.filter((witness) => witness !== "feed"),
    lastResort: "feed",
    isPlaceholder: (date) => !isReadableDate(date),
    agree: haveSameYear,
    keptAs: "year",
    isFinding: true,
  },
  volume: {
    order: orderOfTrust,
    isPlaceholder: isNotAvailable,
    agree: isSameNumber,
    keptAs: "volume",
    isFinding: true,
  },
  issue: { order: orderOfTrust, isPlaceholder: isNotAvailable, agree: isSameNumber, keptAs: "issue" },
  pages: { order: orderOfTrust, agree: isSameNumber, keptAs: "pages" },
  DOI: { order: orderOfTrust, agree: (one, other) => doiKey(one) === doiKey(other), keptAs: "doi" },
  ISSN: { order: orderOfTrust, keptAs: "issn" },
  publicationTitle: { order: orderOfTrust, agree: isPartOfOther, keptAs: "journal" },
  language: { order: orderOfTrust, keptAs: "language" },
  abstractNote: { order: orderOfTrust, keptAs: "abstract" },
  rights: { order: orderOfTrust, keptAs: "licence" },
  tags: { order: orderOfTrust, keptAs: "keywords" },
  url: { order: ["page", "linked-record", "translation-server", "feed"] },
};

const anyField: FieldRule = { order: orderOfTrust };

export function ruleOf(field: string): FieldRule {
  return fieldTable[field] ?? anyField;
}

/**
 * Returns the value of a field as a text for comparison and display: the first creator of a list of creators, the
 * keywords of a list of keywords.
 * @returns undefined when the item has no value
 */
export function textOf(item: ZoteroItem, field: string): string | undefined {
  const value = item[field];
  if (field === "creators") return nameOf(item.creators?.[0]);
  if (field === "tags") return item.tags?.map(({ tag }) => tag).join("; ") || undefined;
  return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
}

function nameOf(creator: ZoteroCreator | undefined): string | undefined {
  const { lastName, firstName, name } = creator ?? {};
  return [lastName, firstName].filter(Boolean).join(", ") || (name && String(name)) || undefined;
}

/** Matches a year of a printed or an electronic article: 1450 to 2099. */
const years = /(?<!\d)(?:14[5-9]\d|1[5-9]\d\d|20\d\d)(?!\d)/g;

/** Returns the years that a date names, each once. */
export function yearsOf(date: string): string[] {
  return [...new Set(date.match(years))];
}

/** Decides whether two dates have a year in common. A date without a year contradicts nothing. */
function haveSameYear(one: string, other: string): boolean {
  const [own, others] = [yearsOf(one), yearsOf(other)];
  return own.length === 0 || others.length === 0 || own.some((year) => others.includes(year));
}

/** Decides whether two numbers are equal, without leading zeros, words such as "Vol." and kinds of dashes. */
function isSameNumber(one: string, other: string): boolean {
  const parts = (text: string) => text.toLowerCase().match(/\d+|[ivxlcdm]+$|(?<=\d)[a-z]+/g) ?? [text];
  const key = (text: string) =>
    parts(text)
      .map((part) => part.replace(/^0+(?=\d)/, ""))
      .join("-");
  return key(one) === key(other);
}

/** Decides whether one text, without signs and accents, is a part of the other. */
function isPartOfOther(one: string, other: string): boolean {
  const [own, others] = [plain(one), plain(other)];
  return own.includes(others) || others.includes(own);
}

/** Decides whether one name contains the surname of the other, because forenames are often initials. */
function isSamePerson(one: string, other: string): boolean {
  const surname = (name: string) => plain(name.split(",")[0] ?? "");
  return plain(one).includes(surname(other)) || plain(other).includes(surname(one));
}

function plain(text: string): string {
  return normalizeForComparison(withoutMarks(text));
}

import { formatValue } from "../../../../core/errors.ts";
import { isKnownLocale } from "../../../../formats/date-names.ts";
import { marcLanguage } from "../../../../marc/language-codes.ts";
import { dateFormatText } from "../../date-format.ts";
import { detectableFields, type ExpectedLanguages } from "../../expected-languages.ts";
import type { Source } from "../../source.ts";
import type { SectionReader } from "../section-reader.ts";
import type { ValueFormat } from "./value-formats.ts";

/** Locales with English names of months, which are always read. */
const englishLocales: readonly string[] = ["C", "POSIX"];

/**
 * Locales and date formats, such as `(de_DE.UTF-8|en_US)%d. %B %Y|%Y`. Locales are read as BCP 47 tags. Unknown locales
 * and formats are left out.
 */
export const dateFormats: ValueFormat<Source["dateFormats"]> = {
  values: "[date formats](#date-formats), separated by `|`; before them locales in parentheses",
  parse(reader, key) {
    const text = reader.text(key) ?? "";
    if (!text) return undefined;
    const [, locales = "", formats = ""] = /^(?:\(([^)]*)\))?(.*)$/s.exec(text) ?? [];
    const named = splitAtBars(locales).map((locale) => locale.replace(/[.@].*$/, "").replace("_", "-"));
    const tags = named.filter((tag) => !englishLocales.includes(tag));
    for (const tag of tags.filter((tag) => !isKnownLocale(tag))) {
      reader.warn(key, `the locale ${formatValue(tag)} is not known, and left out`);
    }
    return { locales: tags.filter(isKnownLocale), formats: knownFormats(reader, key, splitAtBars(formats)) };
  },
  print({ locales, formats }) {
    const posix = locales.map((locale) => `${locale.replace("-", "_")}.UTF-8`).join("|");
    return (posix && `(${posix})`) + formats.join("|");
  },
};

/** Returns the formats that can be read. The Zotero Harvester never matches a date by any other format. */
export function knownFormats(reader: SectionReader, key: string, formats: string[]): string[] {
  return formats.filter((format) => {
    const parsed = dateFormatText.safeParse(format);
    for (const { message } of parsed.error?.issues ?? []) reader.skip(key, message);
    return parsed.success;
  });
}

function splitAtBars(text: string): string[] {
  return text
    .split("|")
    .map((part) => part.trim())
    .filter(Boolean);
}

const modes: ReadonlyMap<string, ExpectedLanguages["mode"]> = new Map([
  ["", "compare"],
  ["?", "detect"],
  ["!", "force"],
  ["=", "translator"],
]);

/**
 * The form `[!?=][title|abstract|title+abstract:]code,code`. The older key `force_language_detection` means the same as
 * `?`.
 */
export const expectedLanguages: ValueFormat<ExpectedLanguages> = {
  values: "[languages](#expected-languages)",
  parse(reader, key) {
    const text = reader.text(key);
    if (!text) return undefined;
    const [, mark = "", writtenField = "title", list = ""] = /^([!?=]?)(?:([^:]*):)?(.*)$/s.exec(text) ?? [];
    const detectFrom = detectableFields.find((field) => field === writtenField);
    const codes = list.split(",").filter(Boolean);
    if (!detectFrom || codes.length === 0 || codes.some((code) => marcLanguage(code) === undefined)) {
      reader.refuse(key, `invalid setting for expected languages: "${text}"`);
      return undefined;
    }
    const mode = modes.get(mark === "" && reader.isTrue("force_language_detection") ? "?" : mark);
    return { mode: mode ?? "compare", detectFrom, codes: withMarcCodes(codes) };
  },
  print({ mode, detectFrom, codes }) {
    const [mark = ""] = [...modes].find(([, one]) => one === mode) ?? [];
    return `${mark}${detectFrom === "title" ? "" : `${detectFrom}:`}${codes.join(",")}`;
  },
};

/** Returns each code as written, followed by the MARC code that it means, because record hashes depend on both. */
function withMarcCodes(codes: string[]): string[] {
  return [...new Set(codes.flatMap((code) => [code, marcLanguage(code) ?? code]))];
}

const maxPagesOfRange = 1000;

/** A list such as `1-3,7`. It is ignored unless `paged_rss` is true. */
export const pageNumbers: ValueFormat<number[]> = {
  values: "page numbers and ranges, separated by commas",
  parse(reader, key) {
    const text = reader.text(key);
    if (text === undefined || !reader.isTrue("paged_rss")) return undefined;
    const pages = text.split(",").flatMap(parseRange);
    if (pages.includes(undefined)) reader.refuse(key, `invalid range of pages "${text}"`);
    return pages.filter((page) => page !== undefined);
  },
  print: (pages) => pages.join(","),
};

/** Parses `7` or `1-3`. An undefined element represents any other text, or a range that is too long. */
function parseRange(text: string): (number | undefined)[] {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  const length = Number(to) - Number(from) + 1;
  if (!(length >= 1 && length <= maxPagesOfRange)) return [undefined];
  return Array.from({ length }, (_, index) => Number(from) + index);
}

/** A duration that is written in seconds and stored in milliseconds. */
export const secondsAsMs: ValueFormat<number> = {
  values: "seconds",
  parse(reader, key) {
    const seconds = reader.count(key);
    return seconds === undefined ? undefined : seconds * 1000;
  },
  print: (delayMs) => delayMs / 1000,
};

/** Whether the feed has pages. If it has, the value contains the fields of its pages. */
export const pagedFeed: ValueFormat<NonNullable<Source["pagedRss"]>> = {
  values: "`true` or `false`",
  parse: (reader, key) => (reader.boolean(key) ? { delayMs: 0 } : undefined),
  print: () => true,
};

import { formatValue } from "../../../../core/errors.ts";
import { isKnownLocale } from "../../../../formats/date-names.ts";
import { marcLanguage } from "../../../../marc/language-codes.ts";
import { dateFormatText } from "../../date-format.ts";
import { detectableFields, type ExpectedLanguages } from "../../expected-languages.ts";
import type { Source } from "../../source.ts";
import type { SectionReader } from "../section-reader.ts";
import type { ValueFormat } from "./value-formats.ts";

/** Names of months in English, which are always read. */
const englishLocales: readonly string[] = ["C", "POSIX"];

/** `(de_DE.UTF-8|en_US)%d. %B %Y|%Y`: locales, read as BCP 47 tags, and formats. An unknown one of either is left out. */
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

/** The formats that can be read; the original never matches a date by another one. */
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

/** `[!?=][title|abstract|title+abstract:]code,code`; the older `force_language_detection` means the same as `?`. */
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

/** Each code as written, then the MARC code that it means: record hashes depend on both. */
function withMarcCodes(codes: string[]): string[] {
  return [...new Set(codes.flatMap((code) => [code, marcLanguage(code) ?? code]))];
}

const maxPagesOfRange = 1000;

/** `1-3,7`; ignored while `paged_rss` is not true. */
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

/** `7` or `1-3`; undefined stands for anything else, and for a range that is too long. */
function parseRange(text: string): (number | undefined)[] {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(text.trim()) ?? [];
  const length = Number(to) - Number(from) + 1;
  if (!(length >= 1 && length <= maxPagesOfRange)) return [undefined];
  return Array.from({ length }, (_, index) => Number(from) + index);
}

/** Written in seconds, kept in milliseconds. */
export const secondsAsMs: ValueFormat<number> = {
  values: "seconds",
  parse(reader, key) {
    const seconds = reader.count(key);
    return seconds === undefined ? undefined : seconds * 1000;
  },
  print: (delayMs) => delayMs / 1000,
};

/** Whether the feed has pages: the fields of its pages, or none. */
export const pagedFeed: ValueFormat<NonNullable<Source["pagedRss"]>> = {
  values: "`true` or `false`",
  parse: (reader, key) => (reader.boolean(key) ? { delayMs: 0 } : undefined),
  print: () => true,
};

import { isKnownLocale, type NameTable, nameTable } from "./date-names.ts";
import { collapseSpace } from "./plain-text.ts";

export interface CalendarDate {
  year: number;
  /** From 1 to 12. */
  month: number;
  day: number;
}

/** ISO 8601, with or without a time of day and its zone. */
const iso =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d(?::?\d\d)?)?)?)?)?$/i;

/**
 * ISO 8601 without hyphens. A date such as 15032014, with the day before month and year, does not match, because its
 * month would be 19 or 20.
 */
const isoBasic = /^(\d{4})(\d\d)(\d\d)$/;

const weekday = String.raw`(?:(?<weekday>\p{L}+)\.?,? )?`;
const month = String.raw`(?:de |of |d['’])?(?<month>[\p{L}\p{M}]+)\.?`;
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?`;
const year = String.raw`(?:de |of )?(?<year>\d{4})`;
const time = String.raw`(?:,? \d{1,2}:\d\d(?::\d\d)?(?: ?(?:[ap]m|[a-z]{1,5}|[+-]\d\d:?\d\d))?)?`;

/**
 * RFC 822, and dates as people write them: 24 Apr 2013, 24-Apr-2013, 24 de abril de 2013, April 24th, 2013, April 2013.
 */
const withMonthName = [
  `^${weekday}${day}[ -]${month},?[ -]${year}${time}$`,
  `^${weekday}${month} ${day},? ${year}${time}$`,
  `^${month},? ${year}$`,
].map((pattern) => new RegExp(pattern, "iu"));

/** The languages of journals that state dates in another language than that of the article. */
const europeanLanguages =
  "bg ca cs da de el en es et eu fi fr ga gl hr hu is it lt lv mk mt nb nl nn pl pt ro ru sk sl sq sr sv tr uk".split(
    " ",
  );

/**
 * Parses a date that has only one possible meaning: ISO 8601 with or without a time or hyphens, RFC 822, and day, month
 * by name and year in either order. The day is taken as written, in the zone of the text. A missing month or day
 * becomes the first.
 * @param languages BCP 47 tags whose names of months are tried first, together with the English ones. A name in another
 * language is accepted if it means the same month in all languages of Europe: "März" does, "listopad" does not
 * @returns undefined for other texts, impossible days and years before 1000
 * @see https://www.w3.org/TR/NOTE-datetime
 * @see https://www.rfc-editor.org/rfc/rfc2822#section-3.3
 */
export function parseStatedDate(text: string, languages: readonly string[] = []): CalendarDate | undefined {
  const given = collapseSpace(text);
  // Longer texts are not dates.
  if (given.length > 100) return undefined;
  const [, isoYear, isoMonth = "1", isoDay = "1"] = iso.exec(given) ?? isoBasic.exec(given) ?? [];
  if (isoYear !== undefined) return toCalendarDate(isoYear, Number(isoMonth), isoDay);
  const tables = [...new Set(["en", "en-GB", ...languages.filter(isKnownLocale)])].map(nameTable);
  const withName = parseWithMonthName(given, tables);
  if (withName !== "unknown-name") return withName;
  const anyLanguage = parseWithMonthName(given, [...tables, ...europeanLanguages.map(nameTable)]);
  return anyLanguage === "unknown-name" ? undefined : anyLanguage;
}

/** @returns "unknown-name" when a name is in none of the tables or means two months; undefined for other texts */
function parseWithMonthName(given: string, tables: NameTable[]): CalendarDate | "unknown-name" | undefined {
  let result: "unknown-name" | undefined;
  for (const pattern of withMonthName) {
    const groups = pattern.exec(given)?.groups;
    if (groups === undefined) continue;
    result = "unknown-name";
    const weekdays = tables.flatMap((table) => table.weekdays);
    if (groups.weekday !== undefined && numbersOf(groups.weekday, weekdays).size === 0) continue;
    const months = tables.flatMap((table) => table.months);
    const [number, ...others] = numbersOf(groups.month ?? "", months);
    if (number === undefined || others.length > 0) continue;
    return toCalendarDate(groups.year ?? "", number, groups.day ?? "1");
  }
  return result;
}

/** Returns the numbers of the months that a name means. There are two if languages differ, as for "listopad". */
function numbersOf(name: string, names: { text: string; number: number }[]): Set<number> {
  const written = name.toLowerCase();
  return new Set(names.filter(({ text }) => text === written).map(({ number }) => number));
}

function toCalendarDate(year: string, month: number, day: string): CalendarDate | undefined {
  const date = { year: Number(year), month, day: Number(day) };
  const utc = new Date(Date.UTC(date.year, month - 1, date.day));
  const exists = utc.getUTCMonth() === month - 1 && utc.getUTCDate() === date.day;
  return date.year >= 1000 && exists ? date : undefined;
}

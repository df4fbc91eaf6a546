import { isKnownLocale, type NameTable, nameTable } from "./date-names.ts";
import type { DateParts } from "./date-parts.ts";

const dash = " ?[-–—/] ?";
const name = String.raw`[\p{L}\p{M}]+`;
const weekday = String.raw`(?:(?<weekday>\p{L}+)\.?,? )?`;
const month = String.raw`(?:de |of |d['’])?(?<month>${name})\.?`;
const lastMonth = String.raw`(?<lastMonth>${name})\.?`;
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?`;
const year = String.raw`(?:de |of )?(?<year>\d{4})`;
const time = String.raw`(?:,? \d{1,2}:\d\d(?::\d\d)?(?: ?(?:[ap]m|[a-z]{1,5}|[+-]\d\d:?\d\d))?)?`;

/**
 * RFC 822, and dates as people write them: 24 Apr 2013, 24-Apr-2013, 24 de abril de 2013, April 24th, 2013, April 2013,
 * March-April 2014, December 2013/January 2014, 2014 Mar, 2014 March 5, 2011 Mar-Apr.
 */
const patterns = [
  `^${weekday}${day}[ -]${month},?[ -]${year}${time}$`,
  `^${weekday}${month} ${day},? ${year}${time}$`,
  `^${month}(?:${dash}${lastMonth})?,? ${year}$`,
  `^${month},? ${year}${dash}${lastMonth},? (?<lastYear>\\d{4})$`,
  `^${year},? ${month}(?:${dash}${lastMonth}| ${day})?$`,
].map((pattern) => new RegExp(pattern, "iu"));

/** An article before the day: le 5 mars 2014. */
const article = /^(?:le|den|vom|am|el|il|op|em) (?=\d)/i;

/** The languages of journals that state dates in another language than that of the article. */
const europeanLanguages =
  "bg ca cs da de el en es et eu fi fr ga gl hr hu is it lt lv mk mt nb nl nn pl pt ro ru sk sl sq sr sv tr uk".split(
    " ",
  );

/**
 * Parses a date that has the name of a month, in English or in one of these languages. A name in another language is
 * accepted if it means the same month in all languages of Europe: "März" does, "listopad" does not.
 * @param languages BCP 47 tags
 * @returns undefined for other texts; the day may not exist
 */
export function parseDateWithMonthName(text: string, languages: readonly string[]): DateParts | undefined {
  const given = text.replace(article, "");
  const tables = [...new Set(["en", "en-GB", ...languages.filter(isKnownLocale)])].map(nameTable);
  const parts = parseWithNames(given, tables);
  if (parts !== "unknown-name") return parts;
  const anyLanguage = parseWithNames(given, [...tables, ...europeanLanguages.map(nameTable)]);
  return anyLanguage === "unknown-name" ? undefined : anyLanguage;
}

/** @returns "unknown-name" when a name is in none of the tables or means two months; undefined for other texts */
function parseWithNames(given: string, tables: NameTable[]): DateParts | "unknown-name" | undefined {
  let result: "unknown-name" | undefined;
  const months = tables.flatMap((table) => table.months);
  for (const pattern of patterns) {
    const groups = pattern.exec(given)?.groups;
    if (groups === undefined) continue;
    result = "unknown-name";
    const weekdays = tables.flatMap((table) => table.weekdays);
    if (groups.weekday !== undefined && numbersOf(groups.weekday, weekdays).size === 0) continue;
    const [number, ...others] = numbersOf(groups.month, months);
    const [last, ...otherLast] = numbersOf(groups.lastMonth, months);
    if (number === undefined || others.length + otherLast.length > 0) continue;
    if (groups.lastMonth !== undefined && last === undefined) continue;
    return {
      year: Number(groups.year),
      month: number,
      ...(last !== undefined && { lastMonth: last }),
      ...(groups.lastYear !== undefined && { lastYear: Number(groups.lastYear) }),
      ...(groups.day !== undefined && { day: Number(groups.day) }),
    };
  }
  return result;
}

/** Returns the numbers of the months that a name means. There are two if languages differ, as for "listopad". */
function numbersOf(written: string | undefined, names: { text: string; number: number }[]): Set<number> {
  const searched = written?.toLowerCase();
  return new Set(names.filter(({ text }) => text === searched).map(({ number }) => number));
}

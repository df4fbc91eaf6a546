import type { DateParts } from "./date-parts.ts";
import { parseDateWithMonthName } from "./dates-with-month-names.ts";
import { collapseSpace } from "./plain-text.ts";
import { parseSeason } from "./seasons.ts";

/** A date, as far as a text states it. */
export interface StatedDate extends DateParts {
  /** The text that states the date. */
  text: string;
  /** Set when no pattern reads the text. `year` is then the plausible year in it, and the first one of several. */
  isUnread?: true;
}

/** The word for "year" after the year, in Russian, Bulgarian, Macedonian, Ukrainian and Latvian: 1 января 2014 г. */
const yearAbbreviation = /(?<=\d{4})\.? ?(?:г|р|g)$/u;

/** The digits of scripts, from 0. */
const zeros = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
  0xff10,
];

/** Replaces the digits of other scripts, such as those of Arabic: ٢٠١٤. */
function withAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** A time of day with its zone, after a date in digits. */
const time = String.raw`(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d(?::?\d\d)?)?)?`;

/** 2014, 2014-03, 2014.03, 2014/3/5, 2011-11-00 and ISO 8601. */
const yearFirst = new RegExp(String.raw`^(\d{4})(?:([-/.])(\d{1,2})(?:\2(\d{1,2})${time})?)?$`, "i");
/**
 * ISO 8601 without hyphens. A date such as 15032014, with the day before month and year, does not match, because its
 * month would be 19 or 20.
 */
const yearFirstBasic = /^(\d{4})()(\d\d)(\d\d)$/;
const eastAsian =
  /^(\d{4})()\s?[年년]\s?(?:(\d{1,2})\s?[月월]\s?(?:(\d{1,2})\s?[日일](?:\s?(?:[日月火水木金土]曜日|[星期周]{1,2}.|.요일))?)?)?$/u;
/** 03/2020, 08.11.2011 and 13/05/2014. */
const yearLast = /^(?:(\d{1,2})([-/.]) ?)?(\d{1,2})[-/.] ?(\d{4})$/;
const yearSpan = /^(\d{4}) ?[-–—/] ?(\d{4}|\d\d)$/;

/**
 * Parses a date that has only one possible meaning: digits with the year first; digits with the year last if the
 * separator is a period or a number above 12 shows which one is the day; a month by name; a season; or a span of years.
 * Year, month and day are read as far as they are stated, and `00` states nothing. The day is taken as written, in the
 * zone of the text.
 * @param languages BCP 47 tags whose names of months are tried first
 * @returns undefined for other texts, impossible days and years before 1000
 * @see https://www.w3.org/TR/NOTE-datetime
 * @see https://www.rfc-editor.org/rfc/rfc2822#section-3.3
 */
export function parseStatedDate(text: string, languages: readonly string[] = []): StatedDate | undefined {
  const given = withAsciiDigits(collapseSpace(text))
    .replace(/^[([]|[\s,;/.)\]]+$/g, "")
    .replace(yearAbbreviation, "");
  // Longer texts are not dates.
  if (given.length > 100) return undefined;
  const parts = parseDigits(given) ?? parseSeason(given) ?? parseDateWithMonthName(given, languages);
  return parts !== undefined && isPossible(parts) ? { text, ...parts } : undefined;
}

/**
 * Matches the four digits that may be the year of a printed or an electronic article: separate digits, and the year in
 * 201403 and 15032014.
 */
const yearNumbers =
  /(?<!\d)(?:\d{4}(?=\d{4}(?!\d)))?((?:14[5-9]|1[5-9]\d|20\d)\d)(?:(?!\d)|(?=(?:0\d|1[0-2])(?!\d)))/g;

/**
 * Returns the year of a text that no pattern reads, such as "sometime in 2014".
 * @param lastPlausibleYear the year two years from now
 * @returns undefined when the text contains no plausible year
 */
export function findYear(text: string, lastPlausibleYear = 2099): StatedDate | undefined {
  const years = [...withAsciiDigits(text).matchAll(yearNumbers)].map(([, year]) => Number(year));
  const year = years.find((one) => one <= lastPlausibleYear);
  return year === undefined ? undefined : { text, year, isUnread: true };
}

/**
 * Returns the first day of a date as YYYY-MM-DD. Delivered records have the first day of a month or year (362), and an
 * unchanged record must keep its hash.
 */
export function formatFirstDay({ year, month = 1, day = 1 }: DateParts): string {
  return [year, ...[month, day].map((part) => String(part).padStart(2, "0"))].join("-");
}

/** Returns the year as people write it: `2014`, or `2014/2015` for a span. */
export function formatYears({ year, lastYear }: DateParts): string {
  return lastYear === undefined ? String(year) : `${year}/${lastYear}`;
}

function parseDigits(given: string): DateParts | undefined {
  const [, first = "", end = ""] = yearSpan.exec(given) ?? [];
  const lastYear = Number(end.length === 2 ? `${first.slice(0, 2)}${end}` : end);
  // 2010/11 is a month, and 2014/15 is a span.
  if (end.length === 4 || (Number(end) > 12 && lastYear === Number(first) + 1))
    return lastYear > Number(first) ? { year: Number(first), lastYear } : undefined;

  const [, year, , second, third] =
    yearFirst.exec(given) ?? yearFirstBasic.exec(given) ?? eastAsian.exec(given) ?? [];
  if (year !== undefined) return inEitherOrder(Number(year), Number(second ?? 0), Number(third ?? 0));

  const [, before, separator, after, atEnd] = yearLast.exec(given) ?? [];
  if (atEnd === undefined) return undefined;
  if (before === undefined) return { year: Number(atEnd), ...statedMonth(Number(after)) };
  const isClear = separator === "." || before === after || Number(before) > 12 || Number(after) > 12;
  return isClear ? inEitherOrder(Number(atEnd), Number(after), Number(before)) : undefined;
}

/** Swaps month and day if the month is above 12. */
function inEitherOrder(year: number, month: number, day: number): DateParts {
  const [m, d] = month > 12 && day > 0 ? [day, month] : [month, day];
  return { year, ...statedMonth(m), ...(m > 0 && d > 0 && { day: d }) };
}

function statedMonth(month: number): Pick<DateParts, "month"> {
  return month > 0 ? { month } : {};
}

function isPossible({ year, month = 1, lastMonth = 1, day = 1 }: DateParts): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day && lastMonth <= 12;
}

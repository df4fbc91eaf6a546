import { isKnownLocale, type Name, type NameTable, nameTable } from "./date-names.ts";
import type { DateParts } from "./date-parts.ts";

const dash = " ?[-–—/] ?";
const name = String.raw`[\p{L}\p{M}]+`;
const month = String.raw`(?:de |of |d['’])?(?<month>${name})\.?`;
const lastMonth = String.raw`(?<lastMonth>${name})\.?`;
const day = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?`;
const year = String.raw`(?:del? |of )?(?<year>\d{4})`;
const time = String.raw`(?:,? \d{1,2}:\d\d(?::\d\d)?(?: ?(?:[ap]m|[a-z]{1,5}|[+-]\d\d:?\d\d))?)?`;

/**
 * RFC 822, and dates as people write them: 24 Apr 2013, 24-Apr-2013, 24 de abril de 2013, April 24th, 2013, April 2013,
 * March-April 2014, December 2013/January 2014, 2014 Mar, 2014 March 5, 2011 Mar-Apr.
 */
const patterns = [
  `^${day}[ -]${month},?[ -]${year}${time}$`,
  `^${month} ${day},? ${year}${time}$`,
  `^${month}(?:${dash}${lastMonth})?,? ${year}$`,
  `^${month},? ${year}${dash}${lastMonth},? (?<lastYear>\\d{4})$`,
  `^${year}[.,]? ${month}(?:${dash}${lastMonth}| ${day})?$`,
  `^${year} ${day} ${month}$`,
].map((pattern) => new RegExp(pattern, "iu"));

/** An article before the day: le 5 mars 2014. */
const article = /^(?:le|den|vom|am|el|il|op|em) (?=\d)/i;
/** A weekday before or after the date. */
const weekdayBefore = /^(?<weekday>(?:e )?[\p{L}\p{M}-]+)\.?,? (?!\d{4}$)/u;
const weekdayAfter = /,? (?<weekday>(?:e )?[\p{L}\p{M}-]+)$/u;
/** Words for the year and the day: 2014. gada 1. janvāris, 2014 m. sausio 1 d. */
const yearWord = /^(\d{4})(?:\. (?:gada|g\.?)| m\.)(?= )/u;
const dayWord = /(?<=\d) d\.?(?=$|,)/u;

/** The languages of journals that state dates in another language than that of the article. */
const europeanLanguages =
  "bg ca cs da de de-AT el en es et eu fi fr fr-CA ga gl hr hu is it lt lv mk mt nb nl nn pl pt ro ru sk sl sq sr sv tr uk".split(
    " ",
  );

const namesOfEurope: { table?: NameTable } = {};

/** The names in all languages of Europe. Some thousand names are merged once. */
function europeanNames(): NameTable {
  namesOfEurope.table ??= merge(europeanLanguages.map(nameTable));
  return namesOfEurope.table;
}

function merge(tables: readonly NameTable[]): NameTable {
  return {
    months: tables.flatMap(({ months }) => months),
    weekdays: tables.flatMap(({ weekdays }) => weekdays),
  };
}

/**
 * Parses a date that has the name of a month, in English or in one of these languages. A name in another language is
 * accepted if it means the same month in all languages of Europe: "März" does, "listopad" does not.
 * @param languages BCP 47 tags
 * @returns undefined for other texts; the day may not exist
 */
export function parseDateWithMonthName(text: string, languages: readonly string[]): DateParts | undefined {
  const given = text.replace(dayWord, "");
  const own = merge([...new Set(["en", "en-GB", ...languages.filter(isKnownLocale)])].map(nameTable));
  return parseWithNames(given, own) ?? parseWithNames(given, merge([own, europeanNames()]));
}

/** @returns undefined for other texts, and when a name is not in the table or means two months */
function parseWithNames(text: string, names: NameTable): DateParts | undefined {
  const given = withoutWeekday(text, names).replace(yearWord, "$1").replace(article, "");
  for (const pattern of patterns) {
    const groups = pattern.exec(given)?.groups;
    if (groups === undefined) continue;
    const [number, ...others] = numbersOf(groups.month, names.months);
    const [last, ...otherLast] = numbersOf(groups.lastMonth, names.months);
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
  return undefined;
}

function withoutWeekday(text: string, { weekdays }: NameTable): string {
  for (const pattern of [weekdayBefore, weekdayAfter]) {
    const written = pattern.exec(text)?.groups?.weekday;
    if (numbersOf(written, weekdays).size > 0) return text.replace(pattern, "");
  }
  return text;
}

/**
 * Returns the numbers of the months that a name means. There are two if languages differ, as for "listopad". A name as
 * a language writes it counts before the first letters of another name: mei (Dutch), Meitheamh (Irish).
 */
function numbersOf(written: string | undefined, names: Name[]): Set<number> {
  const searched = written?.toLowerCase();
  const found = names.filter(({ text }) => text === searched);
  const whole = found.filter(({ isBeginning }) => !isBeginning);
  return new Set((whole.length > 0 ? whole : found).map(({ number }) => number));
}

import { type CalendarDate, parseStatedDate } from "../../formats/stated-date.ts";
import { languageTag } from "../../marc/language-codes.ts";
import { compileDateFormat } from "../../records/sources/date-format.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";

/**
 * Parses a date. A date that can be read in only one way is read first. Otherwise, the first format that matches the
 * whole text is used: the source's formats, then the common formats. Names of months may be in English, in the locales
 * of the source, or in a language that the item or the source names. Other names are accepted only if they mean the
 * same month in all languages, unlike "listopad". A missing month or day becomes 01.
 * @param language the language that the item names
 * @returns YYYY-MM-DD; undefined when nothing matches
 */
export function parsePublicationDate(
  text: string,
  { source, settings, language }: { source: Source; settings: Settings; language: string },
): string | undefined {
  const { formats, locales } = source.dateFormats;
  const languages = [...language.split(/[;,\s]+/), ...(source.expectedLanguages?.codes ?? [])]
    .map(languageTag)
    .filter((tag) => tag !== undefined);
  const stated = parseStatedDate(text, [...locales, ...languages]);
  if (stated) return formatDate(stated);
  for (const format of [...formats, ...settings.commonDateFormats]) {
    const date = compileDateFormat(format).parse(text, locales);
    if (date) return formatDate(date);
  }
  return undefined;
}

/** Matches four separate digits that are a plausible year of a printed or an electronic article: 1450 to 2099. */
const plausibleYear = /(?<!\d)(?:14[5-9]\d|1[5-9]\d\d|20\d\d)(?!\d)/g;

/**
 * Returns the year in a text such as "Spring 2014" or "2014/03".
 * @returns undefined when the text contains none or several
 */
export function onlyYearOf(text: string): string | undefined {
  const years = new Set(text.match(plausibleYear));
  return years.size === 1 ? [...years][0] : undefined;
}

function formatDate({ year, month, day }: CalendarDate): string {
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

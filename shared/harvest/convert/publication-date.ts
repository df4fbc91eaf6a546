import { type CalendarDate, parseStatedDate } from "../../formats/stated-date.ts";
import { languageTag } from "../../marc/language-codes.ts";
import { compileDateFormat } from "../../records/sources/date-format.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";

/**
 * Parses a date that can be read in one way only, else with the first format that matches the whole text: the source's
 * formats, then the common ones. Names of months are English, in the locales of the source, or in a language that the item or
 * the source states; else those that mean one month in all languages, which "listopad" does not. A missing month or day
 * becomes 01.
 * @param language as the item states it
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

/** Four digits alone that are the year of a printed or an electronic article: 1450 to 2099. */
const plausibleYear = /(?<!\d)(?:14[5-9]\d|1[5-9]\d\d|20\d\d)(?!\d)/g;

/** The year in a text such as "Spring 2014" or "2014/03"; undefined when it has none, or several. */
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

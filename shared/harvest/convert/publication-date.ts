import { findYear, parseStatedDate, type StatedDate } from "../../formats/stated-date.ts";
import { languageTag } from "../../marc/language-codes.ts";
import { compileDateFormat } from "../../records/sources/date-format.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";

interface DateContext {
  source: Source;
  settings: Settings;
  /** The language that the item names. */
  language: string;
  /** YYYY-MM-DD. */
  today: string;
}

/** The number of years by which a date of publication may be ahead. */
const maxYearsAhead = 2;

/**
 * Reads a date, in this order: with the formats of the source; as a date that has only one possible meaning; with the
 * common formats; as the first plausible year (1450 to two years from now) in the text. Names of months may be in
 * English, in the locales of the source, or in a language that the item or the source names. Other names are accepted
 * only if they mean the same month in all languages: "listopad" (October or November) is not accepted.
 * @returns undefined for a text without a plausible year
 */
export function parsePublicationDate(text: string, context: DateContext): StatedDate | undefined {
  const { source, settings, language, today } = context;
  const { formats, locales } = source.dateFormats;
  const lastPlausibleYear = Number(today.slice(0, 4)) + maxYearsAhead;
  const languages = [...language.split(/[;,\s]+/), ...(source.expectedLanguages?.codes ?? [])]
    .map(languageTag)
    .filter((tag) => tag !== undefined);
  const parseWith = (given: readonly string[]) => {
    const date = given.map((format) => compileDateFormat(format).parse(text, locales)).find(Boolean);
    return date && { text, ...date };
  };
  const date =
    parseWith(formats) ??
    parseStatedDate(text, [...locales, ...languages]) ??
    parseWith(settings.commonDateFormats);
  return date !== undefined && date.year <= lastPlausibleYear ? date : findYear(text, lastPlausibleYear);
}

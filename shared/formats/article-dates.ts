import type { ArticleMetadata } from "./article-metadata.ts";
import { findYear, parseStatedDate, type StatedDate } from "./stated-date.ts";

/** Two digits for the year, which only a configured format reads. */
const shortYear = /^\D*\d{1,2}\P{Nd}+\d{1,2}\P{Nd}+\d{2}\D*$/u;

/** Decides whether a text names the year of a date. */
export function isReadableDate(text: string): boolean {
  return readYear(text) !== undefined || shortYear.test(text);
}

function readYear(text: string): StatedDate | undefined {
  return parseStatedDate(text) ?? findYear(text);
}

/** Chooses the first date that names a year or, if there is none, the first date. The skipped dates are reported. */
export function chooseStatedDate(
  texts: readonly (string | undefined)[],
): Pick<ArticleMetadata, "date" | "unreadableDates"> {
  const stated = texts.filter((text) => text !== undefined);
  const at = stated.findIndex(isReadableDate);
  const [first, ...others] = stated;
  const [date, unreadableDates] = at < 0 ? [first, others] : [stated[at], stated.slice(0, at)];
  return { date, ...(unreadableDates.length > 0 && { unreadableDates }) };
}

/**
 * Chooses the date of an article from several vocabularies, the most trusted first. The date in the statement of the
 * volume takes precedence, then a date of publication in any vocabulary, then the date on which the article was put
 * online, because digitised volumes are decades older. A year alone, and a date that cannot be read, is replaced by a
 * more precise date in the same year.
 * @returns `problems`: the dates that were skipped, and those of another year
 */
export function chooseDate(ranked: readonly ArticleMetadata[]): {
  date: string | undefined;
  problems: string[];
} {
  const inOrder = [
    ...ranked.map(({ volumeDate }) => volumeDate),
    ...ranked.flatMap(({ date, unreadableDates = [] }) => [...unreadableDates, date]),
    ...ranked.map(({ onlineDate }) => onlineDate),
  ];
  const stated = [...new Set(inOrder.filter((text) => text !== undefined))];
  const at = stated.findIndex(isReadableDate);
  const chosen = stated[at] ?? stated[0];
  const { year } = readYear(chosen ?? "") ?? {};
  const ofThatYear = stated.filter((text) => year !== undefined && readYear(text)?.year === year);
  const date = mostPrecise(chosen, ofThatYear);
  const unread = ofThatYear.filter((text) => text !== date && parseStatedDate(text) === undefined);
  const skipped = [...(at < 0 ? [] : stated.slice(0, at)), ...unread];
  const others = stated.filter((text) => year !== undefined && (readYear(text)?.year ?? year) !== year);
  return {
    date,
    problems: [
      ...skipped.map((text) => `date "${text}" cannot be read and was skipped`),
      ...others.map((text) => `date "${text}" is of another year than "${date}" and was not used`),
    ],
  };
}

/** Returns the first date that has a month or a season, else the first one that can be read, else the chosen one. */
function mostPrecise(chosen: string | undefined, texts: readonly string[]): string | undefined {
  const read = texts.map((text) => parseStatedDate(text)).filter((date) => date !== undefined);
  const own = read.find(({ text }) => text === chosen);
  if (own !== undefined && !/^\s*\d{4}\s*$/.test(own.text)) return chosen;
  return (
    (read.find(({ month, season }) => (month ?? season) !== undefined) ?? own ?? read[0])?.text ?? chosen
  );
}

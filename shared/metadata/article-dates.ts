import type { ArticleMetadata } from "./article-metadata.ts";

const yearFirst = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)/;

/**
 * Whether some format may read a text as a date: which formats there are is the source's to say, so only what has no year
 * ("soon"), or is no day of any year ("2020/02/30"), counts as unreadable.
 */
export function isReadableDate(text: string): boolean {
  const [, year, second, third] = yearFirst.exec(text.trim()) ?? [];
  if (year === undefined) return /\p{Nd}{4}|\p{Nd}{1,2}\P{Nd}+\p{Nd}{1,2}\P{Nd}+\p{Nd}{2}/u.test(text);
  const [y, a, b] = [year, second, third].map(Number) as [number, number, number];
  return third === undefined ? isDay(y, a, 1) : isDay(y, a, b) || isDay(y, b, a);
}

/** The first date that may be read, else the first of all; and those that may not be read besides. */
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
 * The date of an article by what several vocabularies say of it, most trusted first.
 * @returns `problems`: what was passed over
 */
export function chooseDate(ranked: readonly ArticleMetadata[]): {
  date: string | undefined;
  problems: string[];
} {
  const at = ranked.findIndex(({ date }) => date !== undefined && isReadableDate(date));
  const chosen = at < 0 ? ranked.find(({ date }) => date !== undefined) : ranked[at];
  const passedOver = ranked
    .slice(0, at + 1)
    .flatMap(({ date, unreadableDates = [] }, index) => [
      ...(index < at && date !== undefined ? [date] : []),
      ...unreadableDates,
    ]);
  return {
    date: chosen?.date,
    problems: [...new Set(passedOver)].map((text) => `date "${text}" cannot be read and was passed over`),
  };
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

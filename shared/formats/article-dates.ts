import type { ArticleMetadata } from "./article-metadata.ts";

const yearFirst = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)/;

/**
 * Decides whether a configured format could parse the text. The configured formats are not known here, so only texts
 * without a year ("soon") and impossible days ("2020/02/30") count as unreadable.
 */
export function isReadableDate(text: string): boolean {
  const [, year, second, third] = yearFirst.exec(text.trim()) ?? [];
  if (year === undefined) return /\p{Nd}{4}|\p{Nd}{1,2}\P{Nd}+\p{Nd}{1,2}\P{Nd}+\p{Nd}{2}/u.test(text);
  const [y, a, b] = [year, second, third].map(Number) as [number, number, number];
  return third === undefined ? isDay(y, a, 1) : isDay(y, a, b) || isDay(y, b, a);
}

/** Chooses the first readable date or, if there is none, the first date. The unreadable dates are reported. */
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
 * Chooses the date of an article from several vocabularies, the most trusted first. A date of publication in any
 * vocabulary takes precedence over the date on which the article was put online, because digitised volumes are decades
 * older. A year alone is replaced by a more precise date in the same year.
 * @returns `problems`: the dates that were skipped
 */
export function chooseDate(ranked: readonly ArticleMetadata[]): {
  date: string | undefined;
  problems: string[];
} {
  const candidates = [
    ...ranked.map(({ date, unreadableDates }) => ({ date, unreadableDates })),
    ...ranked.map(({ onlineDate }) => ({ date: onlineDate, unreadableDates: [] })),
  ];
  const at = candidates.findIndex(({ date }) => date !== undefined && isReadableDate(date));
  const chosen = at < 0 ? candidates.find(({ date }) => date !== undefined) : candidates[at];
  const skipped = candidates
    .slice(0, at + 1)
    .flatMap(({ date, unreadableDates = [] }, index) => [
      ...(index < at && date !== undefined ? [date] : []),
      ...unreadableDates,
    ]);
  const year = /^\s*(\d{4})\s*$/.exec(chosen?.date ?? "")?.[1];
  const within = candidates.find(({ date }) => year !== undefined && isWithinYear(date, year));
  return {
    date: within?.date ?? chosen?.date,
    problems: [...new Set(skipped)].map((text) => `date "${text}" cannot be read and was skipped`),
  };
}

/** Decides whether a date is in the year and also names its month. */
function isWithinYear(date: string | undefined, year: string): boolean {
  return date !== undefined && date.trim() !== year && date.includes(year) && isReadableDate(date);
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The years in which something was published. */
export interface PublicationYears {
  first: string;
  /** The last year; set for a span. */
  last?: string;
  isUncertain: boolean;
}

/** The maximum length of a text that may be a date. */
const maxChars = 200;

/**
 * Returns the years in a date as people write it: `2013-05-01T10:00:00Z`, `c1860`, `[1860?]`, `1860-1870`, `2000/2005`,
 * `20130501`.
 * @returns undefined for a text without a year from 1000 to 2999
 */
export function parsePublicationYears(text: string): PublicationYears | undefined {
  const given = text.trim().slice(0, maxChars);
  const compact = /^([12]\d{3})(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:T.*)?$/.exec(given)?.[1];
  if (compact !== undefined) return { first: compact, isUncertain: false };
  const [first, second] = [...given.matchAll(/(?<!\d)([12]\d{3})(?!\d)/g)].map(([, year]) => year as string);
  if (first === undefined) return undefined;
  const isSpan = second !== undefined && second > first;
  return { first, ...(isSpan && { last: second }), isUncertain: /\?|\bca?\.? ?\d|^c\d/i.test(given) };
}

/** Returns the earliest of the dates that contain a year. */
export function earliestYears(texts: readonly string[]): PublicationYears | undefined {
  const years = texts.map(parsePublicationYears).filter((found) => found !== undefined);
  return years.sort((a, b) => (a.first < b.first ? -1 : 1))[0];
}

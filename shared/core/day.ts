/** By time zone: one takes half a millisecond to make. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day of an instant in a time zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, at: Date): string {
  const format =
    dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  dayFormats.set(timeZone, format);
  return format.format(at);
}

export const dayMs = 86_400_000;

/** The day of an instant in UTC, `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, "2026-11-20".length);
}

/** The day `days` before another; after it when `days` is negative. */
export function daysBefore(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) - days * dayMs));
}

/** The day before. */
export function dayBefore(day: string): string {
  return daysBefore(day, 1);
}

/**
 * The days from the first to the last, both included.
 * @returns undefined when there are none, or more than `most`
 */
export function daysBetween(first: string, last: string, { most }: { most: number }): string[] | undefined {
  const length = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (length < 1 || length > most) return undefined;
  return Array.from({ length }, (_, index) => daysBefore(first, -index));
}

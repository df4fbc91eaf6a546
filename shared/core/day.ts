/** The formats by time zone. They are cached because creating one takes half a millisecond. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day of an instant in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, at: Date): string {
  const format =
    dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  dayFormats.set(timeZone, format);
  return format.format(at);
}

export const dayMs = 86_400_000;

/** Returns the day of an instant in UTC, as `YYYY-MM-DD`. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, "2026-11-20".length);
}

/** Returns the day that is `days` before the given day, or after it if `days` is negative. */
export function daysBefore(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) - days * dayMs));
}

/** Returns the day before the given day. */
export function dayBefore(day: string): string {
  return daysBefore(day, 1);
}

/**
 * Returns the days from the first to the last, including both.
 * @returns undefined when there are no days, or more than `most`
 */
export function daysBetween(first: string, last: string, { most }: { most: number }): string[] | undefined {
  const length = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (length < 1 || length > most) return undefined;
  return Array.from({ length }, (_, index) => daysBefore(first, -index));
}

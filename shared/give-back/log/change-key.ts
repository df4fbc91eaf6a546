/** The digits of the number in a key: enough for a million changes per second over 30,000 years. */
const numberDigits = 18;

/**
 * Returns the keys of the next changes. A key is the datestamp of a change and its number, such as
 * `2026-11-20T19:00:00Z/000000000000000042`, so keys sort by time and never repeat.
 * @param after the key of the last change; undefined before the first
 * @param datestamp a time in seconds that is not earlier than that of the last change
 */
export function keysAfter(after: string | undefined, datestamp: string, count: number): string[] {
  const last = after === undefined ? 0 : Number(after.slice(after.indexOf("/") + 1));
  return Array.from(
    { length: count },
    (_, index) => `${datestamp}/${String(last + index + 1).padStart(numberDigits, "0")}`,
  );
}

/** Returns the datestamp in a key, in seconds: `YYYY-MM-DDThh:mm:ssZ`. */
export function datestampOf(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/** Formats a time with the granularity of the repository. */
export function inSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** Returns the limits of the keys of a period. Both datestamps are inclusive. */
export function keyRange(period: { from?: string | undefined; until?: string | undefined }): {
  from: string;
  until: string;
} {
  // Keys begin with a year. "0" sorts after "/", which follows a datestamp.
  return { from: period.from ?? "0", until: period.until === undefined ? "~" : `${period.until}0` };
}

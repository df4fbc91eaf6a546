/** Formats a time as `YYYYMMDDhhmmss` in UTC. */
export function timestamp14(date: Date): string {
  const iso = date.toISOString();
  const day = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10);
  return day + iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19);
}

/** Converts a time of 14 digits, or of 17 with milliseconds, to ISO 8601; undefined for any other text. */
export function isoTimeOf(digits: string): string | undefined {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/.exec(digits) ?? [];
  if (year === undefined) return undefined;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${ms === undefined ? "" : `.${ms}`}Z`;
}

/** `YYYYMMDDhhmmss` in UTC. */
export function timestamp14(date: Date): string {
  return date.toISOString().replaceAll(/\D/g, "").slice(0, 14);
}

/** A time of 14 digits, or 17 with milliseconds, as ISO 8601; undefined of anything else. */
export function isoTimeOf(digits: string): string | undefined {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/.exec(digits) ?? [];
  if (year === undefined) return undefined;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${ms === undefined ? "" : `.${ms}`}Z`;
}

/**
 * Decides whether a name is that of an IANA time zone. Offsets such as `+01:00` are rejected, although JavaScript
 * accepts them.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Whether the name is that of an IANA time zone. Offsets as `+01:00` are none, though JavaScript takes them as well. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

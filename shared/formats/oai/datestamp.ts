import type { OaiRecord } from "./page.ts";

/**
 * Returns a warning about records whose datestamp is not a valid time. Such records cannot be requested by the time of
 * their last change.
 * @returns the same text for all pages; undefined when all datestamps are valid
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Dates
 */
export function datestampWarning(records: readonly Pick<OaiRecord, "datestamp">[]): string | undefined {
  const areValid = records.every(({ datestamp }) => isDatestamp(datestamp));
  return areValid ? undefined : "records have no valid datestamp: their changes may be missed";
}

const datestampForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)?$/;

/** Decides whether a text is an existing day, or a time in seconds on an existing day. */
export function isDatestamp(text: string): boolean {
  const day = datestampForm.exec(text)?.[1];
  // All months have 28 days, so even a list of millions of records creates a date only for few of them.
  return day !== undefined && (day <= "28" || isDay(text.slice(0, 10)));
}

/** Decides whether a month has the day. The 31st of February would be parsed as a day in March. */
function isDay(date: string): boolean {
  return new Date(date).toISOString().startsWith(date);
}

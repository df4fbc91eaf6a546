import type { OaiRecord } from "./page.ts";

/**
 * What to say aboutrecords without a datestamp that is a time: whether they have changed since a day cannot be asked.
 * @returns the same for all pages; undefined when all are valid
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Dates
 */
export function datestampWarning(records: readonly Pick<OaiRecord, "datestamp">[]): string | undefined {
  const areValid = records.every(({ datestamp }) => isDatestamp(datestamp));
  return areValid ? undefined : "records have no valid datestamp: their changes may be missed";
}

const datestampForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ)?$/;

/** Whether a text is a day, or a time in seconds, that exists. */
export function isDatestamp(text: string): boolean {
  const day = datestampForm.exec(text)?.[1];
  // All months have 28 days: a list of millions builds no dates for most.
  return day !== undefined && (day <= "28" || isDay(text.slice(0, 10)));
}

/** Whether a month has the day: the 31st of February is parsed as a day of March. */
function isDay(date: string): boolean {
  return new Date(date).toISOString().startsWith(date);
}

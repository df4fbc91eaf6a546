import type { OaiRecord } from "./page.ts";

/**
 * What to say of records without a datestamp that is a time: whether they have changed since a day cannot be asked.
 * @returns the same for all pages; undefined when all are valid
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#Dates
 */
export function datestampWarning(records: readonly Pick<OaiRecord, "datestamp">[]): string | undefined {
  const areValid = records.every(({ datestamp }) => isDatestamp(datestamp));
  return areValid ? undefined : "records have no valid datestamp: their changes may be missed";
}

function isDatestamp(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text)) return false;
  const ms = Date.parse(text);
  // The 31st of February is parsed as a day of March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 10));
}

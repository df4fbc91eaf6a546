import type { StoredRecord } from "./stored-record.ts";

/** A position in a list of records that is sorted by syndication date. */
export type RecordCursor = Pick<StoredRecord, "syndicatedAt" | "recordId">;

/** Formats a cursor for use in a URL. @param list identifies the list, in up to 250 characters */
export function formatCursor(list: string, { syndicatedAt, recordId }: RecordCursor): string {
  return Buffer.from(`${list} ${syndicatedAt} ${recordId}`).toString("base64url");
}

/**
 * Parses a cursor.
 * @returns undefined for a text that is not a cursor of this list
 */
export function parseCursor(list: string, text: string): RecordCursor | undefined {
  const [, of, syndicatedAt = "", recordId = ""] =
    /^(.{1,250}) ([-+\dT:.]{19,26}Z) ([\w-]{1,64})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const cursor = { syndicatedAt, recordId };
  if (of !== list || Number.isNaN(Date.parse(syndicatedAt))) return undefined;
  return formatCursor(list, cursor) === text ? cursor : undefined;
}

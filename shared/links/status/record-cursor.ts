import type { RecordLink } from "./record-link.ts";

/** A position in the list of the records of a collection, which is sorted by syndication date. */
export type RecordCursor = Pick<RecordLink, "syndicatedAt" | "recordId">;

/** Formats a cursor for use in a URL. */
export function formatCursor(collectionId: string, { syndicatedAt, recordId }: RecordCursor): string {
  return Buffer.from(`${collectionId} ${syndicatedAt} ${recordId}`).toString("base64url");
}

/**
 * Parses a cursor.
 * @returns undefined for a text that is not a cursor of this collection
 */
export function parseCursor(collectionId: string, text: string): RecordCursor | undefined {
  const [, of, syndicatedAt = "", recordId = ""] =
    /^(.{1,128}) ([-+\dT:.]{19,26}Z) ([\w-]{1,64})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const cursor = { syndicatedAt, recordId };
  if (of !== collectionId || Number.isNaN(Date.parse(syndicatedAt))) return undefined;
  return formatCursor(collectionId, cursor) === text ? cursor : undefined;
}

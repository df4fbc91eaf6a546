import type { RecordLink } from "./record-link.ts";

/** Where a record stands in the list of its collection, which is in the order of syndication. */
export type RecordCursor = Pick<RecordLink, "syndicatedAt" | "recordId">;

/** Such a place as text that may stand in a URL. */
export function formatCursor(collectionId: string, { syndicatedAt, recordId }: RecordCursor): string {
  return Buffer.from(`${collectionId} ${syndicatedAt} ${recordId}`).toString("base64url");
}

/** The place that a text names; undefined for a text that `placeText` gives for no record of the collection. */
export function parseCursor(collectionId: string, text: string): RecordCursor | undefined {
  const [, of, syndicatedAt = "", recordId = ""] =
    /^(.{1,128}) ([-+\dT:.]{19,26}Z) ([\w-]{1,64})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const cursor = { syndicatedAt, recordId };
  if (of !== collectionId || Number.isNaN(Date.parse(syndicatedAt))) return undefined;
  return formatCursor(collectionId, cursor) === text ? cursor : undefined;
}

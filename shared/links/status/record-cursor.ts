import type { RecordLink } from "./record-link.ts";

/** The position of a record in the list of its collection, which is in the order of syndication. */
export type RecordCursor = Pick<RecordLink, "syndicatedAt" | "recordId">;

/** As text for a URL. */
export function formatCursor(collectionId: string, { syndicatedAt, recordId }: RecordCursor): string {
  return Buffer.from(`${collectionId} ${syndicatedAt} ${recordId}`).toString("base64url");
}

/** Undefined for a text that `formatCursor` yields for no record of the collection. */
export function parseCursor(collectionId: string, text: string): RecordCursor | undefined {
  const [, of, syndicatedAt = "", recordId = ""] =
    /^(.{1,128}) ([-+\dT:.]{19,26}Z) ([\w-]{1,64})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const cursor = { syndicatedAt, recordId };
  if (of !== collectionId || Number.isNaN(Date.parse(syndicatedAt))) return undefined;
  return formatCursor(collectionId, cursor) === text ? cursor : undefined;
}

import type { Fate } from "./fate.ts";

/** What link checking knows of a record. */
export interface LinkedRecord {
  recordId: string;
  collectionId: string;
  title: string;
  /** The page that the record points to. */
  landingUrl: string;
  /** Publication date where it is known, else the harvest's. ISO 8601 in UTC. */
  syndicatedAt: string;
  /** Absent for a record that no check has ever found wanting. */
  link?: Fate;
}

/** Where a record stands in the list of its collection, which is in the order of syndication. */
export type ListPlace = Pick<LinkedRecord, "syndicatedAt" | "recordId">;

/** Such a place as text that may stand in a URL. */
export function placeText(collectionId: string, { syndicatedAt, recordId }: ListPlace): string {
  return Buffer.from(`${collectionId} ${syndicatedAt} ${recordId}`).toString("base64url");
}

/** The place that a text names; undefined for a text that `placeText` gives for no record of the collection. */
export function placeIn(collectionId: string, text: string): ListPlace | undefined {
  const [, of, syndicatedAt = "", recordId = ""] =
    /^(.{1,128}) ([-+\dT:.]{19,26}Z) ([\w-]{1,64})$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
  const place = { syndicatedAt, recordId };
  if (of !== collectionId || Number.isNaN(Date.parse(syndicatedAt))) return undefined;
  return placeText(collectionId, place) === text ? place : undefined;
}

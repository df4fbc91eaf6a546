import { digest } from "../../core/digest.ts";

/**
 * What makes a document the same one in every harvest: its source, and its identifier there, never its title. A source
 * of OAI-PMH identifies a document by one text; a feed by two, the entry's id and its address, as the ids of a feed may
 * start again with each issue.
 */
export interface DocumentIdentity {
  sourceId: string;
  identifier: readonly [string, ...string[]];
}

/** The id of the document's record. */
export function recordIdOf({ sourceId, identifier }: DocumentIdentity): string {
  return digest(sourceId, ...identifier);
}

/**
 * The id of a document that a listing resolves itself, in place of the id of a request. Another for each listing: a document
 * on two pages of a list comes to the delivery twice, and the archive admits one of them.
 */
export function listedDocumentId(listingId: string, { sourceId, identifier }: DocumentIdentity): string {
  return digest(listingId, sourceId, ...identifier);
}

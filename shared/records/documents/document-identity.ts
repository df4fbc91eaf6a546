import { digest } from "../../core/digest.ts";

/**
 * The properties by which a document is recognised in every harvest: its source, and its identifier in the source, but
 * never its title. A source of the type OAI-PMH identifies a document by a single text. A feed needs two, the entry's
 * id and its address, because the ids of a feed may start again with each issue.
 */
export interface DocumentIdentity {
  sourceId: string;
  identifier: readonly [string, ...string[]];
}

/** Returns the id of the document's record. */
export function recordIdOf({ sourceId, identifier }: DocumentIdentity): string {
  return digest(sourceId, ...identifier);
}

/**
 * Returns the id of a document that its listing resolves without a request. The id replaces the id of a request, and
 * differs for each listing. A document on two pages of a list therefore reaches the delivery twice, and the archive
 * admits it once.
 */
export function listedDocumentId(listingId: string, { sourceId, identifier }: DocumentIdentity): string {
  return digest(listingId, sourceId, ...identifier);
}

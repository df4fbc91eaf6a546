import type { Listing } from "./decide-change.ts";
import { type DocumentOutcome, type KeepPorts, keepDocuments } from "./keep-documents.ts";

/** The documents that are read at a time. */
const pageSize = 200;

/**
 * Makes tombstones of the documents of a source that a complete full harvest has not listed. For repositories that do not
 * keep deleted records; the caller vouches that the list was complete. Documents that were listed after it stay.
 * @param listing.after where an earlier invocation has ended
 * @returns the deleted documents, page by page, and where the next page begins
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#DeletedRecords
 */
export async function* deleteUnlisted(
  sourceId: string,
  {
    harvestId,
    listedAt,
    after: begin,
  }: Required<Pick<Listing, "harvestId" | "listedAt">> & { after?: string | undefined },
  ports: KeepPorts,
): AsyncGenerator<{ deleted: DocumentOutcome[]; after: string | undefined }> {
  let after = begin;
  do {
    const { documents, next } = await ports.documents.list(sourceId, {
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    const gone = documents.filter(({ state, listedIn }) => state === "present" && listedIn !== harvestId);
    const listed = gone.map(({ identifier }) => ({ identifier, isDeleted: true }));
    after = next;
    const page = { sourceId, listedAt, documents: listed };
    yield { deleted: gone.length === 0 ? [] : await keepDocuments(page, ports), after };
  } while (after !== undefined);
}

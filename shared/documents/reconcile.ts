import type { Listing } from "./decide-change.ts";
import { type DocumentOutcome, type KeepPorts, keepDocuments } from "./keep-documents.ts";

/** The documents that are read at a time. */
const pageSize = 200;

/**
 * Makes tombstones of the documents of a source that a complete full harvest has not listed. For repositories that do not
 * keep deleted records; the caller vouches that the list was complete. Documents that were listed after it stay.
 * @returns the deleted documents, page by page
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#DeletedRecords
 */
export async function* deleteUnlisted(
  sourceId: string,
  { harvestId, listedAt }: Required<Pick<Listing, "harvestId" | "listedAt">>,
  ports: KeepPorts,
): AsyncGenerator<DocumentOutcome[]> {
  let after: string | undefined;
  do {
    const { documents, next } = await ports.documents.list(sourceId, {
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    const gone = documents.filter(({ state, listedIn }) => state === "present" && listedIn !== harvestId);
    if (gone.length > 0) {
      const deleted = gone.map(({ identifier }) => ({ identifier, isDeleted: true }));
      yield await keepDocuments({ sourceId, listedAt, documents: deleted }, ports);
    }
    after = next;
  } while (after !== undefined);
}

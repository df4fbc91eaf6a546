import * as z from "zod";
import type { Clock } from "../core/clock.ts";
import { ThrottledError } from "../core/errors.ts";
import { currentVersion, type Document } from "../records/documents/document.ts";
import { type KeepPorts, keepDocuments } from "../records/documents/keep-documents.ts";
import { documentsOfDeleted } from "../records/sources/added-sources.ts";
import type { ConfigurationStore } from "../records/sources/conf/configuration-store.ts";
import type { PageStore } from "./stored-pages/stored-page.ts";

/** The message of the queue of what to delete because its source was deleted: its stored pages and its documents. */
export const documentDeletion = z.object({
  sourceId: z.string().min(1),
  /** Whether its documents are kept; absent: deleted. Its stored pages are deleted in any case. */
  documents: z.enum(documentsOfDeleted).optional(),
  /** When the source was deleted. */
  deletedAt: z.iso.datetime(),
  /** The id of the last document that was examined. */
  after: z.string().optional(),
});
type DocumentDeletion = z.output<typeof documentDeletion>;

export interface DeleteDocumentsPorts {
  kept: KeepPorts;
  pages: Pick<PageStore, "removeOfSource">;
  configuration: Pick<ConfigurationStore, "item">;
  documentDeletions: { send(message: DocumentDeletion): Promise<void> };
  clock: Pick<Clock, "now">;
}

const pageSize = 200;

/** The maximum duration, which is half of the time that an invocation has. */
const maxDeletingMs = 300_000;

/**
 * The longest duration of an invocation. A reader that began before the source was deleted may still store documents
 * during this time.
 */
const lastReaderMs = 900_000;

/**
 * Deletes the stored pages of a deleted source and, if wanted, its documents, and publishes each deletion. The next
 * invocation deletes the documents for which the time of this invocation does not suffice. Documents that a reader of
 * the source has stored meanwhile are deleted later. If the source has been added again, its documents are kept. Repeatable.
 * @throws ThrottledError as long as a reader may still store documents of the source
 */
export async function deleteDocuments(
  { sourceId, documents, deletedAt, after: begin }: DocumentDeletion,
  { kept, pages, configuration, documentDeletions, clock }: DeleteDocumentsPorts,
): Promise<void> {
  const startedMs = clock.now().getTime();
  let after = begin;
  do {
    if ((await configuration.item({ kind: "source", id: sourceId })) !== undefined) return;
    if (after === begin) await pages.removeOfSource(sourceId);
    // A page that a reader stores later is deleted when it expires.
    if (documents === "keep") return;
    const page = await kept.documents.list(sourceId, {
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    const present = page.documents.filter(({ state }) => state === "present");
    if (present.length > 0) await deleteAll(sourceId, present, clock.now(), kept);
    after = page.next;
    if (after !== undefined && clock.now().getTime() - startedMs >= maxDeletingMs)
      return documentDeletions.send({ sourceId, deletedAt, after });
  } while (after !== undefined);
  const lastReadAt = new Date(Date.parse(deletedAt) + lastReaderMs);
  if (clock.now() >= lastReadAt) return;
  if (begin !== undefined) return documentDeletions.send({ sourceId, deletedAt });
  throw new ThrottledError(`source ${sourceId}: readers may still keep documents of it`, lastReadAt);
}

/**
 * Deletes documents. The time of a deletion is never before that of the document's last version, which is a time of the
 * source's own clock.
 */
async function deleteAll(
  sourceId: string,
  present: readonly Document[],
  now: Date,
  kept: KeepPorts,
): Promise<void> {
  const times = present.map((document) => currentVersion(document).at);
  const listedAt = [now.toISOString(), ...times].sort().at(-1) ?? now.toISOString();
  const documents = present.map(({ identifier }) => ({ identifier, isDeleted: true }));
  await keepDocuments({ sourceId, listedAt, documents }, kept);
}

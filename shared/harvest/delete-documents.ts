import * as z from "zod";
import type { Clock } from "../core/clock.ts";
import { ThrottledError } from "../core/errors.ts";
import { currentVersion, type Document } from "../records/documents/document.ts";
import { type KeepPorts, keepDocuments } from "../records/documents/keep-documents.ts";
import type { ConfigurationStore } from "../records/sources/conf/configuration-store.ts";

/** The message of the queue of documents to delete, whose source was deleted. */
export const documentDeletion = z.object({
  sourceId: z.string().min(1),
  /** When the source was deleted. */
  deletedAt: z.iso.datetime(),
  /** The id of the last document that was looked at. */
  after: z.string().optional(),
});
type DocumentDeletion = z.output<typeof documentDeletion>;

export interface DeleteDocumentsPorts {
  kept: KeepPorts;
  configuration: Pick<ConfigurationStore, "item">;
  documentDeletions: { send(message: DocumentDeletion): Promise<void> };
  clock: Pick<Clock, "now">;
}

const pageSize = 200;

/** Half of what an invocation has. */
const maxDeletingMs = 300_000;

/** A reader that began before the source was deleted may still keep documents: no invocation takes longer. */
const lastReaderMs = 900_000;

/**
 * Deletes the documents of a source that was deleted, and publishes each. What one invocation cannot do is left to the next.
 * Documents that a reader of the source has kept meanwhile are deleted later. A source that was added again keeps its documents.
 * Repeatable.
 * @throws ThrottledError until no reader can keep documents of the source any more
 */
export async function deleteDocuments(
  { sourceId, deletedAt, after: begin }: DocumentDeletion,
  { kept, configuration, documentDeletions, clock }: DeleteDocumentsPorts,
): Promise<void> {
  const startedMs = clock.now().getTime();
  let after = begin;
  do {
    if ((await configuration.item({ kind: "source", id: sourceId })) !== undefined) return;
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

/** Deletes documents; not before their last versions, whose times are those of the source's own clock. */
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

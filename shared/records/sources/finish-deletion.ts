import { digest } from "../../core/digest.ts";
import type { ConfigurationStore, SourceDeletion } from "./conf/configuration-store.ts";

/** The event of a source. A repeated event has the same `changeId`. */
interface SourceEvent {
  type: "source.new" | "source.opened" | "source.deleted";
  changeId: string;
  detail: { sourceUri: string; sourceId: string; documents?: SourceDeletion["documents"] };
}

export interface FinishDeletionPorts {
  configuration: Pick<ConfigurationStore, "item" | "deletions">;
  events: { publish(event: SourceEvent): Promise<void> };
  /** Reports that a source was deleted, so that its set is no longer published. */
  setRegistrations: { send(message: { sourceId: string }): Promise<void> };
  /** Requests the deletion of the stored pages of a deleted source and, if wanted, of its documents. */
  documentDeletions: {
    send(message: Pick<SourceDeletion, "sourceId" | "documents" | "deletedAt">): Promise<void>;
  };
  /** Ends the harvests of a source that was deleted at this time, and deletes their state. */
  harvests: { end(sourceId: string, deletedAt: string): Promise<void> };
  /** Deletes the quality figures of a deleted source. */
  quality: { forget(sourceId: string): Promise<void> };
}

/**
 * Does the steps of a deletion that follow the removal of the source, if they are not done. Repeatable.
 * @returns whether there were any
 */
export async function finishDeletion(
  sourceId: string,
  { configuration, events, setRegistrations, harvests, quality, documentDeletions }: FinishDeletionPorts,
): Promise<boolean> {
  const deletion = await configuration.deletions.get(sourceId);
  if (deletion === undefined) return false;
  // Read after the deletion: the source that was to be deleted then is there, or is removed.
  const item = await configuration.item({ kind: "source", id: sourceId });
  const { documents, createdAt, deletedAt } = deletion;
  if (item !== undefined && item.createdAt === createdAt) return false;
  const changeId = digest("source.deleted", sourceId, createdAt ?? "");
  const detail = { sourceUri: `/sources/${sourceId}`, sourceId, documents };
  await events.publish({ type: "source.deleted", changeId, detail });
  await setRegistrations.send({ sourceId });
  await harvests.end(sourceId, deletedAt);
  await quality.forget(sourceId);
  await documentDeletions.send({ sourceId, documents, deletedAt });
  await configuration.deletions.end(deletion);
  return true;
}

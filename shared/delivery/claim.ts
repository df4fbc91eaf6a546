import { inParallel } from "../core/in-parallel.ts";
import { entryKey } from "../harvest/archive-keys.ts";
import type { ConvertedDocument, Run, RunMode } from "../harvest/run.ts";
import type { ArchiveStore } from "../ports.ts";
import type { ArchiveState } from "./archive-entry.ts";

/** Documents claimed, read or described at the same time. */
export const documentsAtOnce = 32;

/** The owner of a claim: one record in one run. */
export function claimant(runId: string, recordId: string): string {
  return `${runId}/${recordId}`;
}

/** All keys by which the archive knows a document, its entry key among them, sorted. */
export function keysOf({ recordId, archiveKeys }: ConvertedDocument, mode: RunMode): string[] {
  return [...new Set([entryKey(recordId, mode), ...archiveKeys])].sort();
}

/**
 * Claims each document's keys in the archive. A document that misses one of its keys is the same article as the one that
 * has it. Keys are sorted, so of documents that overlap one always gets through; a claim repeated by its owner holds.
 */
export async function claimAll<Document extends ConvertedDocument>(
  documents: Document[],
  run: Pick<Run, "runId" | "deliveryMode" | "startedAt">,
  as: { state: ArchiveState; expiryOf: (sourceId: string) => number | undefined },
  archive: ArchiveStore,
): Promise<{ claimed: Document[]; missed: Document[] }> {
  // Not the time that it is: whoever repeats this must find the same entries expired.
  const at = new Date(run.startedAt);
  const mine = await inParallel(documents, documentsAtOnce, async (document) => {
    const expiresAt = as.expiryOf(document.sourceId);
    const claim = {
      owner: claimant(run.runId, document.recordId),
      entryKey: entryKey(document.recordId, run.deliveryMode),
      state: as.state,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    for (const key of keysOf(document, run.deliveryMode)) {
      if (!(await archive.claim(key, claim, at))) return false;
    }
    return true;
  });
  return {
    claimed: documents.filter((_, index) => mine[index]),
    missed: documents.filter((_, index) => !mine[index]),
  };
}

import type { ArchiveState } from "../../archive/archive-entry.ts";
import { archiveEntryKey } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ConvertedArticle, Run, RunMode } from "../../runs/run.ts";

/** Documents claimed, read or described at the same time. */
export const maxParallelArticles = 32;

/** The owner of a claim: one document of one run. Two documents may turn out to be one record. */
export function claimOwner(runId: string, { requestId }: Pick<ConvertedArticle, "requestId">): string {
  return `${runId}/${requestId}`;
}

/** A document that has missed a key: another record has it, or an operator has the archive ignore it. */
export type DuplicateArticle<Document = ConvertedArticle> = Document & { conflictingKey: string };

/** All keys by which the archive knows a document, its entry key among them, sorted. */
export function allArchiveKeys({ recordId, archiveKeys }: ConvertedArticle, mode: RunMode): string[] {
  return [...new Set([archiveEntryKey(recordId, mode), ...archiveKeys])].sort();
}

/**
 * Claims each document's keys in the archive. A document that misses one of its keys is the same article as the one that
 * has it. Keys are sorted, so of documents that overlap one always gets through; a claim repeated by its owner holds.
 * @param as the state and end of the claims; `at`: when an earlier claim counts as expired. The same for all who repeat
 * this, and no earlier than any reader has asked the archive: what a reader found expired can be claimed
 */
export async function claimArticles<Document extends ConvertedArticle>(
  documents: Document[],
  run: Pick<Run, "runId" | "deliveryMode">,
  as: {
    state: ArchiveState;
    at: (document: Document) => Date;
    expiryOf: (sourceId: string) => number | undefined;
  },
  archive: Pick<ArchiveStore, "claim">,
): Promise<{ claimed: Document[]; missed: DuplicateArticle<Document>[] }> {
  const missedKeys = await inParallel(documents, maxParallelArticles, async (document) => {
    const expiresAt = as.expiryOf(document.sourceId);
    const claim = {
      owner: claimOwner(run.runId, document),
      entryKey: archiveEntryKey(document.recordId, run.deliveryMode),
      state: as.state,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const at = as.at(document);
    for (const key of allArchiveKeys(document, run.deliveryMode)) {
      if (!(await archive.claim(key, claim, at))) return key;
    }
    return undefined;
  });
  return {
    claimed: documents.filter((_, index) => missedKeys[index] === undefined),
    missed: documents.flatMap((document, index) => {
      const conflictingKey = missedKeys[index];
      return conflictingKey === undefined ? [] : [{ ...document, conflictingKey }];
    }),
  };
}

/**
 * Gives back the keys of documents that have missed one: they would block others for a record that is delivered under
 * none of them. To be called when the plan is fixed: before, another at work on it could come to other documents.
 */
export async function releaseClaims(
  documents: ConvertedArticle[],
  { runId, deliveryMode }: Pick<Run, "runId" | "deliveryMode">,
  archive: Pick<ArchiveStore, "releaseClaim">,
): Promise<void> {
  await inParallel(documents, maxParallelArticles, async (document) => {
    const owner = claimOwner(runId, document);
    for (const key of allArchiveKeys(document, deliveryMode)) await archive.releaseClaim(key, owner);
  });
}

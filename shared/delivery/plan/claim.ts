import { inParallel } from "../../core/in-parallel.ts";
import { entryKey } from "../../harvest/archive-keys.ts";
import type { ConvertedDocument, Run, RunMode } from "../../harvest/run.ts";
import type { ArchiveStore } from "../../ports.ts";
import type { ArchiveState } from "../archive/archive-entry.ts";

/** Documents claimed, read or described at the same time. */
export const documentsAtOnce = 32;

/** The owner of a claim: one document of one run. Two documents may turn out to be one record. */
export function claimant(runId: string, { requestId }: Pick<ConvertedDocument, "requestId">): string {
  return `${runId}/${requestId}`;
}

/** A document that has missed a key: another record has it, or an operator has the archive ignore it. */
export type MissedDocument<Document = ConvertedDocument> = Document & { missedKey: string };

/** All keys by which the archive knows a document, its entry key among them, sorted. */
export function keysOf({ recordId, archiveKeys }: ConvertedDocument, mode: RunMode): string[] {
  return [...new Set([entryKey(recordId, mode), ...archiveKeys])].sort();
}

/**
 * Claims each document's keys in the archive. A document that misses one of its keys is the same article as the one that
 * has it. Keys are sorted, so of documents that overlap one always gets through; a claim repeated by its owner holds.
 * @param as the state and end of the claims; `at`: when an earlier claim counts as expired. The same for all who repeat
 * this, and no earlier than any reader has asked the archive: what a reader found expired can be claimed
 */
export async function claimAll<Document extends ConvertedDocument>(
  documents: Document[],
  run: Pick<Run, "runId" | "deliveryMode">,
  as: {
    state: ArchiveState;
    at: (document: Document) => Date;
    expiryOf: (sourceId: string) => number | undefined;
  },
  archive: Pick<ArchiveStore, "claim">,
): Promise<{ claimed: Document[]; missed: MissedDocument<Document>[] }> {
  const missedKeys = await inParallel(documents, documentsAtOnce, async (document) => {
    const expiresAt = as.expiryOf(document.sourceId);
    const claim = {
      owner: claimant(run.runId, document),
      entryKey: entryKey(document.recordId, run.deliveryMode),
      state: as.state,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    const at = as.at(document);
    for (const key of keysOf(document, run.deliveryMode)) {
      if (!(await archive.claim(key, claim, at))) return key;
    }
    return undefined;
  });
  return {
    claimed: documents.filter((_, index) => missedKeys[index] === undefined),
    missed: documents.flatMap((document, index) => {
      const missedKey = missedKeys[index];
      return missedKey === undefined ? [] : [{ ...document, missedKey }];
    }),
  };
}

/**
 * Gives back the keys of documents that have missed one: they would block others for a record that is delivered under
 * none of them. To be called when the plan is fixed: before, another at work on it could come to other documents.
 */
export async function giveBack(
  documents: ConvertedDocument[],
  { runId, deliveryMode }: Pick<Run, "runId" | "deliveryMode">,
  archive: Pick<ArchiveStore, "giveBack">,
): Promise<void> {
  await inParallel(documents, documentsAtOnce, async (document) => {
    const owner = claimant(runId, document);
    for (const key of keysOf(document, deliveryMode)) await archive.giveBack(key, owner);
  });
}

import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveState } from "../../records/archive/archive-entry.ts";
import { archiveEntryKey } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { ConvertedDocument, Run, RunMode } from "../../records/runs/run.ts";

/** Articles claimed, read or archived at the same time. */
export const maxParallelDocuments = 100;

/** The number of articles whose keys the archive claims in a few calls. */
const maxParallelClaims = 200;

/** The owner of a claim: one article of one run. Two articles may turn out to be one record. */
export function claimOwner(runId: string, { requestId }: Pick<ConvertedDocument, "requestId">): string {
  return `${runId}/${requestId}`;
}

/** An article that could not claim a key: another record has it, or an operator has excluded it. */
export type DuplicateDocument<Document = ConvertedDocument> = Document & {
  conflictingKey: string;
  /** The record that has the key. */
  conflictingRecord?: ConflictingRecord;
};

export interface ConflictingRecord {
  recordId: string;
  title?: string;
  url?: string;
  /** Absent while the archive does not describe it. */
  state?: ArchiveState;
  /** When it was delivered or last seen; ISO 8601, UTC. */
  at?: string;
  file?: string;
  isOfThisRun?: boolean;
}

/** The articles that got all of their keys, and the others. */
interface ClaimedDocuments<Document = ConvertedDocument> {
  claimed: Document[];
  missed: DuplicateDocument<Document>[];
}

/** All archive keys of an article, including its entry key, sorted. */
export function allArchiveKeys({ recordId, archiveKeys }: ConvertedDocument, mode: RunMode): string[] {
  return [...new Set([archiveEntryKey(recordId, mode), ...archiveKeys])].sort();
}

type ClaimArchive = Pick<ArchiveStore, "claim" | "claimOf" | "entry">;

/**
 * Claims the keys of each article in the archive. An article that cannot claim one of its keys is a duplicate of the
 * one that has it. Keys are claimed in order, so that one of several overlapping articles always gets all of its keys.
 * A repeated claim succeeds.
 * @param as the state and expiry of the claims; `at`: the time by which earlier claims have expired. It is the same in
 * every repeat, and not before any reader's query of the archive, so that a key which a reader found expired can be
 * claimed
 */
export async function claimDocuments<Document extends ConvertedDocument>(
  documents: Document[],
  run: Pick<Run, "runId" | "deliveryMode">,
  as: {
    state: ArchiveState;
    at: Date;
    expiryOf: (sourceId: string) => number | undefined;
  },
  archive: ClaimArchive,
): Promise<ClaimedDocuments<Document>> {
  const claims = documents.map((document) => {
    const expiresAt = as.expiryOf(document.sourceId);
    const claim = {
      owner: claimOwner(run.runId, document),
      entryKey: archiveEntryKey(document.recordId, run.deliveryMode),
      state: as.state,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    return { claim, at: as.at, keys: allArchiveKeys(document, run.deliveryMode) };
  });
  const missedKeys = new Array<string | undefined>(documents.length);
  // The first keys of all articles, then the second ones: each article claims its keys in order.
  for (let place = 0; ; place++) {
    const due = claims.flatMap(({ keys, ...rest }, index) => {
      const key = missedKeys[index] === undefined ? keys[place] : undefined;
      return key === undefined ? [] : [{ key, index, ...rest }];
    });
    if (due.length === 0) break;
    await inParallel(due, maxParallelClaims, async ({ key, claim, at, index }) => {
      if (!(await archive.claim(key, claim, at))) missedKeys[index] = key;
    });
  }
  const missed = documents.flatMap((document, index) => {
    const conflictingKey = missedKeys[index];
    return conflictingKey === undefined ? [] : [{ document, conflictingKey }];
  });
  return {
    claimed: documents.filter((_, index) => missedKeys[index] === undefined),
    missed: await inParallel(missed, maxParallelDocuments, async ({ document, conflictingKey }) => {
      const conflictingRecord = await findConflictingRecord(conflictingKey, { documents, run }, archive);
      return { ...document, conflictingKey, ...(conflictingRecord && { conflictingRecord }) };
    }),
  };
}

/** The record that has a key: as the archive describes it, or an article of this run. */
async function findConflictingRecord(
  key: string,
  { documents, run }: { documents: ConvertedDocument[]; run: Pick<Run, "runId" | "deliveryMode"> },
  archive: ClaimArchive,
): Promise<ConflictingRecord | undefined> {
  const entry = await archive.entry(key);
  if (entry !== undefined) {
    const { recordId, title, urls, state, at, file } = entry;
    const [url] = urls;
    return { recordId, title, state, at, ...(url && { url }), ...(file && { file }) };
  }
  const claim = await archive.claimOf(key);
  if (claim === undefined) return undefined;
  const holder = documents.find(
    ({ recordId }) => archiveEntryKey(recordId, run.deliveryMode) === claim.entryKey,
  );
  return {
    recordId: holder?.recordId ?? claim.entryKey.replace(/^(?:\w+:)?record:/, ""),
    ...(holder?.title !== undefined && { title: holder.title }),
    ...(holder !== undefined && { url: holder.url }),
    isOfThisRun: claim.owner.startsWith(`${run.runId}/`),
  };
}

/**
 * Releases the keys of duplicates, which would block other records. Call it when the plan is stored: before, another
 * worker on the same plan could choose other duplicates.
 */
export async function releaseClaims(
  documents: ConvertedDocument[],
  { runId, deliveryMode }: Pick<Run, "runId" | "deliveryMode">,
  archive: Pick<ArchiveStore, "releaseClaim">,
): Promise<void> {
  await inParallel(documents, maxParallelDocuments, async (document) => {
    const owner = claimOwner(runId, document);
    for (const key of allArchiveKeys(document, deliveryMode)) await archive.releaseClaim(key, owner);
  });
}

import { inParallel } from "../../core/in-parallel.ts";
import type { ArchiveState } from "../../records/archive/archive-entry.ts";
import { archiveEntryKey } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { ConvertedDocument, Run, RunMode } from "../../records/runs/run.ts";

/** The number of articles that are claimed, read or archived at the same time. */
export const maxParallelDocuments = 100;

/**
 * The number of articles whose keys are claimed at the same time; the archive combines their claims into a few calls.
 */
const maxParallelClaims = 200;

/** Returns the owner of a claim: one article of one run. Several articles may turn out to be the same record. */
export function claimOwner(runId: string, { requestId }: Pick<ConvertedDocument, "requestId">): string {
  return `${runId}/${requestId}`;
}

/**
 * An article that could not claim a key, because another record has the key or an operator has excluded the article.
 */
export type DuplicateDocument<Document = ConvertedDocument> = Document & {
  conflictingKey: string;
  /** The record that has the key. */
  conflictingRecord?: ConflictingRecord;
};

export interface ConflictingRecord {
  recordId: string;
  title?: string;
  url?: string;
  /** Absent while the archive does not contain a description of the record. */
  state?: ArchiveState;
  /** When the record was delivered or last seen. ISO 8601 in UTC. */
  at?: string;
  file?: string;
  isOfThisRun?: boolean;
}

/** The articles that got all of their keys, and all other articles. */
interface ClaimedDocuments<Document = ConvertedDocument> {
  claimed: Document[];
  missed: DuplicateDocument<Document>[];
}

/** Returns all archive keys of an article, including its entry key, sorted. */
export function allArchiveKeys({ recordId, archiveKeys }: ConvertedDocument, mode: RunMode): string[] {
  return [...new Set([archiveEntryKey(recordId, mode), ...archiveKeys])].sort();
}

type ClaimArchive = Pick<ArchiveStore, "claim" | "claimOf" | "entry">;

/**
 * Claims the keys of each article in the archive. An article that cannot claim one of its keys is a duplicate of the
 * record that has the key. Keys are claimed in order, so that of several overlapping articles, one always gets all of
 * its keys. A repeated claim succeeds.
 * @param as the state and expiry of the claims. `at` is the time by which earlier claims must have expired. It is the
 * same in every repeat. It is not earlier than any reader's query of the archive, so that a key that a reader found
 * expired can be claimed
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
  // The first keys of all articles are claimed together, then the second keys, and so on, so that each article claims
  // its keys in order.
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

/** Returns the record that has a key: a record of the archive, or an article of this run. */
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
 * Releases the keys of duplicates, because they would block other records. This must be called only after the plan has
 * been stored: until then, another worker on the same plan could choose other duplicates.
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

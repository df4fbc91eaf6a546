import type { ArchiveEntry, OperatorState } from "../../records/archive/archive-entry.ts";
import { archiveEntryKey, buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { RunMode } from "../../records/runs/run.ts";

/** The properties that identify a record in the archive. One of them is given. */
interface ArchiveQuery {
  recordId?: string | undefined;
  doi?: string | undefined;
  url?: string | undefined;
  hash?: string | undefined;
}

/** Returns the archive entry that has one of the keys, as a delivery would find it. */
export async function findArchived(
  { recordId, doi, url, hash }: ArchiveQuery,
  mode: RunMode,
  archive: Pick<ArchiveStore, "entry">,
): Promise<ArchiveEntry | undefined> {
  const keys = buildArchiveKeys(
    { doi, urls: url === undefined ? [] : [url], hash: hash?.toUpperCase() },
    mode,
  );
  for (const key of recordId === undefined ? keys : [archiveEntryKey(recordId, mode)]) {
    const entry = await archive.entry(key);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/**
 * Sets the state of an archived record as an operator decided: `reset` (to be delivered again), `ignore` (never to be
 * delivered), or `manual` (never to be delivered, because it was delivered manually). An interrupted change leaves the
 * record blocked, and can be repeated.
 * @returns the changed entry; `claimed` when a run is about to deliver the record and may already have sent it;
 * undefined when the archive does not contain the record
 */
export async function changeArchiveState(
  { recordId, mode, state }: { recordId: string; mode: RunMode; state: OperatorState },
  { archive, records }: { archive: ArchiveStore; records: Pick<RecordStore, "resetDelivered"> },
): Promise<ArchiveEntry | "claimed" | undefined> {
  const key = archiveEntryKey(recordId, mode);
  const known = await archive.entry(key);
  if (known === undefined) return (await archive.knownReasons([key])).has(key) ? "claimed" : undefined;
  if (state === "reset") await records.resetDelivered({ recordId, deliveryMode: mode });
  // The entry itself is changed last, so that it shows the old state until all keys have the new one.
  const others = known.keys.filter((each) => each !== key);
  for (const each of [...others, key]) await archive.setState(each, known.owner, state);
  return archive.entry(key);
}

import type { ArchiveEntry, OperatorState } from "../../records/archive/archive-entry.ts";
import { archiveEntryKey, buildArchiveKeys } from "../../records/archive/archive-keys.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { RunMode } from "../../records/runs/run.ts";

/** One of these identifies a record in the archive. */
interface ArchiveQuery {
  recordId?: string | undefined;
  doi?: string | undefined;
  url?: string | undefined;
  hash?: string | undefined;
}

/** The archive entry that has one of the keys, as a delivery would find it. */
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
 * Sets an operator's state of an archived record: to be delivered again (`reset`), or never (`ignore`; `manual`, as it
 * was delivered manually). A change that was killed leaves the record blocked, and may be repeated.
 * @returns the changed entry; `claimed` when a run is about to deliver the record, and may have sent it already;
 * undefined when the archive does not know it
 */
export async function changeArchiveState(
  { recordId, mode, state }: { recordId: string; mode: RunMode; state: OperatorState },
  { archive, records }: { archive: ArchiveStore; records: Pick<RecordStore, "resetDelivered"> },
): Promise<ArchiveEntry | "claimed" | undefined> {
  const key = archiveEntryKey(recordId, mode);
  const known = await archive.entry(key);
  if (known === undefined) return (await archive.knownReasons([key])).has(key) ? "claimed" : undefined;
  if (state === "reset") await records.resetDelivered({ recordId, deliveryMode: mode });
  // The entry itself last, so that it shows the old state until all keys have the new one.
  const others = known.keys.filter((each) => each !== key);
  for (const each of [...others, key]) await archive.setState(each, known.owner, state);
  return archive.entry(key);
}

import type { ArchiveEntry, OperatorState } from "../../archive/archive-entry.ts";
import { archiveEntryKey, buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import type { RecordStore } from "../../documents/stored-record.ts";
import type { RunMode } from "../../runs/run.ts";

/** What a record in the archive is looked for by. */
interface ArchiveQuery {
  recordId?: string | undefined;
  doi?: string | undefined;
  url?: string | undefined;
  hash?: string | undefined;
}

/** The record that the archive has under one of the keys, as the delivery would find it. */
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
 * Makes a record of the archive one that is delivered anew (`reset`), or never (`ignore`; `manual`, as it was by hand), and gives it as it is then;
 * `claimed` when a run is about to deliver it: the run may have sent it already, and describes it afterwards. Broken off on the way it still blocks, and may be
 * repeated.
 */
export async function changeArchiveState(
  { recordId, mode, state }: { recordId: string; mode: RunMode; state: OperatorState },
  { archive, records }: { archive: ArchiveStore; records: Pick<RecordStore, "resetDelivered"> },
): Promise<ArchiveEntry | "claimed" | undefined> {
  const key = archiveEntryKey(recordId, mode);
  const known = await archive.entry(key);
  if (known === undefined) return (await archive.knownReasons([key])).has(key) ? "claimed" : undefined;
  if (state === "reset") await records.resetDelivered({ recordId, deliveryMode: mode });
  // The entry itself last: until then it says what it said before.
  const others = known.keys.filter((each) => each !== key);
  for (const each of [...others, key]) await archive.setState(each, known.owner, state);
  return archive.entry(key);
}

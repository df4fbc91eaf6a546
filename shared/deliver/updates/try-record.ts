// Input: the entry of a delivered record in the archive. Output: its comparison with its new conversion. Called by
// reconvert.ts for each record.

import { isOutage, ThrottledError } from "../../core/errors.ts";
import type { ArchiveEntry } from "../../records/archive/archive-entry.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { RecordStore, StoredRecord } from "../../records/documents/stored-record.ts";
import type { Reconversion } from "../../records/reconversions/reconversion.ts";
import type { Reconvert, Reconverted } from "../../records/reconversions/reconverted.ts";
import { describeFindings } from "../validation/finding.ts";
import type { RuleSet } from "../validation/rule-set.ts";
import { validateRecord } from "../validation/validate-record.ts";
import { asUpdate, compareRecords } from "./field-change.ts";
import type { FormerContent, ReservedUpdate, TriedRecord } from "./tried-record.ts";

export interface TryRecordPorts {
  archive: Pick<ArchiveStore, "entry">;
  records: Pick<RecordStore, "get" | "loadMarc">;
  reconvert: Reconvert;
}

/**
 * Compares a delivered record with its new conversion.
 * @param item the key of its entry, or an update that is reversed
 * @returns undefined for a record that is not delivered; `waiting` while names or DOIs are being looked up
 */
export async function tryRecord(
  item: { entryKey: string } | ReservedUpdate,
  reconversion: Reconversion,
  rules: RuleSet,
  ports: TryRecordPorts,
): Promise<TriedRecord | "waiting" | undefined> {
  const entry = await ports.archive.entry(item.entryKey);
  const stored = entry && (await ports.records.get(entry.recordId));
  if (entry?.state !== "automatic" || stored === undefined) return undefined;
  const { recordId, title } = entry;
  const { landingUrl } = stored;
  const named = { recordId, title, landingUrl };
  if ("recordKey" in item && item.recordKey !== entry.recordKey)
    return { ...named, outcome: "stale", reason: "it has been delivered again since" };
  const reconverted = await convertSafely(async () =>
    "recordKey" in item
      ? takeFormer(item, ports)
      : ports.reconvert({ ...stored, deliveryMode: reconversion.deliveryMode }, reconversion),
  );
  if (reconverted.type === "waiting") return "waiting";
  if (reconverted.type !== "converted")
    return { ...named, outcome: reconverted.type, reason: reconverted.reason };
  const delivered = await ports.records.loadMarc(entry.recordKey);
  const record = asUpdate(delivered, reconverted.record);
  const changes = compareRecords(delivered, record);
  if (changes.length === 0) return { ...named, outcome: "same" };
  const { sourceId, groupId } = stored;
  // An operator decides about findings on the origin, when accepting the differences.
  const { outcome, findings } = validateRecord(record, { source: sourceId, rules });
  if (outcome !== "valid") {
    const reason =
      outcome === "delinquent" ? describeFindings(findings).join("; ") : "without volume and issue";
    return { ...named, outcome: "refused", reason };
  }
  const { content, events } = reconverted;
  const { entryKey, owner } = entry;
  const update = { recordId, sourceId, groupId, entryKey, owner, content, record, events };
  return { ...named, outcome: "changed", changes, update: { ...update, former: formerOf(entry, stored) } };
}

/** A record whose conversion fails does not block the others. */
async function convertSafely(convert: () => Promise<Reconverted>): Promise<Reconverted> {
  try {
    return await convert();
  } catch (error) {
    if (isOutage(error) || error instanceof ThrottledError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { type: "unconvertible", reason: `its conversion fails: ${reason}` };
  }
}

/** Returns the content that a record had before an update. */
async function takeFormer(
  { former: { recordKey, ...content } }: ReservedUpdate,
  { records }: Pick<TryRecordPorts, "records">,
): Promise<Reconverted> {
  return { type: "converted", record: await records.loadMarc(recordKey), content, events: [] };
}

function formerOf(
  { recordKey, hash, doi, urls, keys, title }: ArchiveEntry,
  { landingUrl, provenance, originFindings }: StoredRecord,
): FormerContent {
  return {
    recordKey,
    hash,
    ...(doi !== undefined && { doi }),
    urls,
    archiveKeys: keys,
    title,
    landingUrl,
    ...(provenance && { provenance }),
    ...(originFindings && { originFindings }),
  };
}

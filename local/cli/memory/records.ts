import { digest } from "../../../shared/core/digest.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import {
  keptVersions,
  type RecordStore,
  type RecordVersion,
  type StoredRecord,
} from "../../../shared/records/documents/stored-record.ts";
import { setIfAbsent } from "./set-if-absent.ts";
import { type Write, writeNow } from "./write.ts";

interface RecordsState {
  recordsById: Map<string, StoredRecord>;
  marcByKey: Map<string, MarcRecord>;
}

/** Stores records in memory. */
export function memoryRecords(
  memory: RecordsState = { recordsById: new Map(), marcByKey: new Map() },
  write: Write = writeNow,
): RecordStore {
  const versionsOf = new Map<string, RecordVersion[]>();
  const firstRunOf = new Map<string, string>();
  return {
    storeMarc: (recordId, record) =>
      write(() => {
        const key = `${recordId}/${digest(JSON.stringify(record))}`;
        memory.marcByKey.set(key, record);
        return key;
      }),
    storeMarcs: (records) =>
      write(() =>
        records.map((record) => {
          const key = `page/${digest(JSON.stringify(record))}`;
          memory.marcByKey.set(key, record);
          return key;
        }),
      ),
    loadMarc: async (key) => {
      const record = memory.marcByKey.get(key);
      if (record === undefined) throw new Error(`no record at ${key}`);
      return record;
    },
    save: (record) =>
      write(() => {
        const firstRunId = setIfAbsent(firstRunOf, record.recordId, record.runId);
        const known = memory.recordsById.get(record.recordId);
        const { deliveryMode: mode } = record;
        const isOpen = known?.state !== "delivered" && known?.runId !== record.runId;
        if (
          known === undefined ||
          (known.deliveryMode === mode ? isOpen : mode === "LIVE" || known.deliveryMode === "NONE")
        ) {
          memory.recordsById.set(record.recordId, record);
          const { recordId, recordKey, updatedAt: at } = record;
          versionsOf.set(recordId, [{ recordKey, at }, ...(versionsOf.get(recordId) ?? [])]);
        }
        return firstRunId === record.runId;
      }),
    setState: ({ recordId, deliveryMode }, state, details = {}) =>
      write(() => {
        const record = memory.recordsById.get(recordId);
        if (record?.deliveryMode === deliveryMode && record.state !== "delivered") {
          memory.recordsById.set(recordId, { ...record, state, ...details });
        }
      }),
    replaceDelivered: ({ recordId, deliveryMode, recordKey }, update) =>
      write(() => {
        const record = memory.recordsById.get(recordId);
        const isDelivered = record?.deliveryMode === deliveryMode && record.state === "delivered";
        if (!isDelivered || record.recordKey !== recordKey) return;
        const { provenance, origin, originFindings, ...set } = update;
        const { provenance: _provenance, origin: _origin, originFindings: _findings, ...kept } = record;
        const described = {
          ...(provenance && { provenance }),
          ...(origin && { origin }),
          ...(originFindings && { originFindings }),
        };
        memory.recordsById.set(recordId, { ...kept, ...set, ...described });
        const version = { recordKey: update.recordKey, at: update.updatedAt };
        versionsOf.set(recordId, [version, ...(versionsOf.get(recordId) ?? [])]);
      }),
    resetDelivered: ({ recordId, deliveryMode }) =>
      write(() => {
        const record = memory.recordsById.get(recordId);
        if (record?.deliveryMode !== deliveryMode || record.state !== "delivered") return;
        const { deliveryFile: _old, ...rest } = record;
        memory.recordsById.set(recordId, { ...rest, state: "harvested" });
      }),
    get: async (recordId) => memory.recordsById.get(recordId),
    versions: async (recordId) => versionsOf.get(recordId)?.slice(0, keptVersions) ?? [],
  };
}

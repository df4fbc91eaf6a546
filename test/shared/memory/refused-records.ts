import type { Write } from "../../../local/cli/memory/write.ts";
import { groupByReason, hasReason, queueKeyOf } from "../../../shared/deliver/refused/refusal-reason.ts";
import type { RefusedRecord } from "../../../shared/deliver/refused/refused-record.ts";
import type { RefusedStore } from "../../../shared/deliver/refused/refused-store.ts";
import type { RunMode } from "../../../shared/records/runs/run.ts";

/** Records that validation refused, in memory. */
export function memoryRefusedRecords(
  memory: { refusedByKey: Map<string, RefusedRecord> },
  write: Write,
): RefusedStore {
  const waitingIn = (mode: RunMode) =>
    [...memory.refusedByKey.values()].filter(
      ({ deliveryMode, released }) => deliveryMode === mode && released === undefined,
    );
  return {
    save: (record) =>
      write(() => {
        const known = memory.refusedByKey.get(refusedKey(record));
        if (known !== undefined && (known.released !== undefined || known.refusedAt > record.refusedAt))
          return;
        const firstRefusedAt = known?.firstRefusedAt ?? record.refusedAt;
        const note = known?.note && { note: known.note };
        memory.refusedByKey.set(refusedKey(record), { ...record, firstRefusedAt, ...note });
      }),
    updateFindings: (record) =>
      write(() => {
        const known = memory.refusedByKey.get(refusedKey(record));
        const isSame = known?.refusedAt === record.refusedAt && known.released === undefined;
        if (isSame) {
          const { firstRefusedAt = record.refusedAt } = known;
          memory.refusedByKey.set(refusedKey(record), { ...record, firstRefusedAt });
        }
        return isSame;
      }),
    listedSince: async (deliveryMode, documents) =>
      new Map(
        documents.flatMap((document) => {
          const known = memory.refusedByKey.get(refusedKey({ deliveryMode, document }));
          return known === undefined ? [] : [[document.recordId, known.firstRefusedAt ?? known.refusedAt]];
        }),
      ),
    releasedPages: async function* (mode: RunMode) {
      for (const record of memory.refusedByKey.values())
        if (record.deliveryMode === mode && record.released !== undefined) yield [record];
    },
    listBySource: async (mode, sourceId, { limit, after = "" }) =>
      [...memory.refusedByKey.values()]
        .filter((record) => record.deliveryMode === mode && record.document.sourceId === sourceId)
        .filter(({ document }) => document.recordId > after)
        .sort((a, b) => (a.document.recordId < b.document.recordId ? -1 : 1))
        .slice(0, limit),
    reasons: async (mode) => groupByReason(waitingIn(mode).map(queueKeyOf)),
    queue: async (mode, { reason, limit, after = "" }) => {
      const found = waitingIn(mode)
        .filter((record) => hasReason(record, reason) && queueKeyOf(record) > after)
        .sort((a, b) => (queueKeyOf(a) < queueKeyOf(b) ? -1 : 1));
      const records = found.slice(0, limit);
      const last = records.at(-1);
      return { records, ...(found.length > limit && last && { next: queueKeyOf(last) }) };
    },
    note: (record, note) =>
      write(() => {
        const known = memory.refusedByKey.get(refusedKey(record));
        if (known !== undefined) memory.refusedByKey.set(refusedKey(record), { ...known, note });
        return known !== undefined;
      }),
    get: async (mode, sourceId, recordId) => memory.refusedByKey.get(`${mode} ${sourceId} ${recordId}`),
    findings: async (record) => memory.refusedByKey.get(refusedKey(record))?.findings ?? [],
    release: (record, released) =>
      write(() => {
        const known = memory.refusedByKey.get(refusedKey(record));
        if (known !== undefined) memory.refusedByKey.set(refusedKey(record), { released, ...known });
        return known !== undefined;
      }),
    remove: (record, { upTo, includesReleased }) =>
      write(() => {
        const known = memory.refusedByKey.get(refusedKey(record));
        if (known === undefined || known.refusedAt > upTo) return;
        if (includesReleased || known.released === undefined) memory.refusedByKey.delete(refusedKey(record));
      }),
  };
}

function refusedKey({ deliveryMode, document }: Pick<RefusedRecord, "deliveryMode" | "document">): string {
  return `${deliveryMode} ${document.sourceId} ${document.recordId}`;
}

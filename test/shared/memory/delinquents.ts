import type { Write } from "../../../local/cli/memory/write.ts";
import type { DelinquentRecord } from "../../../shared/deliver/delinquent/delinquent-record.ts";
import type { DelinquentStore } from "../../../shared/deliver/delinquent/delinquent-store.ts";
import { groupByReason, hasReason, queueKeyOf } from "../../../shared/deliver/delinquent/refusal-reason.ts";
import type { RunMode } from "../../../shared/records/runs/run.ts";

/** Records that validation refused, in memory. */
export function memoryDelinquents(
  memory: { delinquentByKey: Map<string, DelinquentRecord> },
  write: Write,
): DelinquentStore {
  const waitingIn = (mode: RunMode) =>
    [...memory.delinquentByKey.values()].filter(
      ({ deliveryMode, released }) => deliveryMode === mode && released === undefined,
    );
  return {
    save: (record) =>
      write(() => {
        const known = memory.delinquentByKey.get(delinquentKey(record));
        if (known !== undefined && (known.released !== undefined || known.refusedAt > record.refusedAt))
          return;
        const firstRefusedAt = known?.firstRefusedAt ?? record.refusedAt;
        const note = known?.note && { note: known.note };
        memory.delinquentByKey.set(delinquentKey(record), { ...record, firstRefusedAt, ...note });
      }),
    updateFindings: (record) =>
      write(() => {
        const known = memory.delinquentByKey.get(delinquentKey(record));
        const isSame = known?.refusedAt === record.refusedAt && known.released === undefined;
        if (isSame) {
          const { firstRefusedAt = record.refusedAt } = known;
          memory.delinquentByKey.set(delinquentKey(record), { ...record, firstRefusedAt });
        }
        return isSame;
      }),
    listedSince: async (deliveryMode, documents) =>
      new Map(
        documents.flatMap((document) => {
          const known = memory.delinquentByKey.get(delinquentKey({ deliveryMode, document }));
          return known === undefined ? [] : [[document.recordId, known.firstRefusedAt ?? known.refusedAt]];
        }),
      ),
    releasedPages: async function* (mode: RunMode) {
      for (const record of memory.delinquentByKey.values())
        if (record.deliveryMode === mode && record.released !== undefined) yield [record];
    },
    listBySource: async (mode, sourceId, { limit, after = "" }) =>
      [...memory.delinquentByKey.values()]
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
        const known = memory.delinquentByKey.get(delinquentKey(record));
        if (known !== undefined) memory.delinquentByKey.set(delinquentKey(record), { ...known, note });
        return known !== undefined;
      }),
    get: async (mode, sourceId, recordId) => memory.delinquentByKey.get(`${mode} ${sourceId} ${recordId}`),
    findings: async (record) => memory.delinquentByKey.get(delinquentKey(record))?.findings ?? [],
    release: (record, released) =>
      write(() => {
        const known = memory.delinquentByKey.get(delinquentKey(record));
        if (known !== undefined) memory.delinquentByKey.set(delinquentKey(record), { released, ...known });
        return known !== undefined;
      }),
    remove: (record, { upTo, includesReleased }) =>
      write(() => {
        const known = memory.delinquentByKey.get(delinquentKey(record));
        if (known === undefined || known.refusedAt > upTo) return;
        if (includesReleased || known.released === undefined)
          memory.delinquentByKey.delete(delinquentKey(record));
      }),
  };
}

function delinquentKey({
  deliveryMode,
  document,
}: Pick<DelinquentRecord, "deliveryMode" | "document">): string {
  return `${deliveryMode} ${document.sourceId} ${document.recordId}`;
}

import type { Write } from "../../../local/cli/memory/write.ts";
import {
  isOpen,
  judgedKey,
  type SourceDrifts,
  type SourceQuality,
} from "../../../shared/deliver/quality/drift.ts";
import type { ListDriftedSources, QualityStore } from "../../../shared/deliver/quality/quality-store.ts";

interface QualityState {
  qualityByKey: Map<string, SourceQuality>;
  driftsById: Map<string, SourceDrifts>;
}

/** The quality of the records of each source, in memory. */
export function memoryQuality(
  { qualityByKey, driftsById }: QualityState,
  write: Write,
): QualityStore & { drifted: ListDriftedSources } {
  return {
    save: (figures) =>
      write(
        () => void qualityByKey.set(`${figures.sourceId} ${judgedKey(figures)}`, structuredClone(figures)),
      ),
    latest: async (sourceId, { limit, before, since = "" }) =>
      [...qualityByKey.values()]
        .filter((run) => run.sourceId === sourceId && run.startedAt >= since)
        .filter((run) => before === undefined || judgedKey(run) < judgedKey(before))
        .sort((a, b) => (judgedKey(a) > judgedKey(b) ? -1 : 1))
        .slice(0, limit),
    drifts: async (sourceId) => driftsById.get(sourceId),
    saveDrifts: (drifts) =>
      write(() => {
        if ((driftsById.get(drifts.sourceId)?.revision ?? 0) !== drifts.revision - 1) return false;
        driftsById.set(drifts.sourceId, drifts);
        return true;
      }),
    forget: (sourceId) =>
      write(() => {
        driftsById.delete(sourceId);
        for (const [key, run] of qualityByKey) if (run.sourceId === sourceId) qualityByKey.delete(key);
      }),
    drifted: async (limit) =>
      [...driftsById.values()].filter(({ drifts }) => drifts.some(isOpen)).slice(0, limit),
  };
}

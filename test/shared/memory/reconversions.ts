import { setIfAbsent } from "../../../local/cli/memory/set-if-absent.ts";
import type { Write } from "../../../local/cli/memory/write.ts";
import type { Reconversion, ReconversionStore } from "../../../shared/records/reconversions/reconversion.ts";

/** Reconversions in memory. */
export function memoryReconversions(stored: Map<string, Reconversion>, write: Write): ReconversionStore {
  return {
    create: (reconversion) =>
      write(() => void setIfAbsent(stored, reconversion.reconversionId, reconversion)),
    get: async (id) => stored.get(id),
    list: async ({ limit, after }) =>
      [...stored.values()]
        .filter(({ reconversionId }) => after === undefined || reconversionId < after)
        .sort((a, b) => (a.reconversionId < b.reconversionId ? 1 : -1))
        .slice(0, limit),
    change: (id, from, change) =>
      write(() => {
        const known = stored.get(id);
        if (known === undefined || !from.includes(known.state)) return false;
        const { failure: _old, ...kept } = known;
        stored.set(id, { ...kept, ...change });
        return true;
      }),
  };
}

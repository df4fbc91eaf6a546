import type { HarvestDefinition } from "../../../../shared/snapshots/definitions/definition.ts";
import { type HarvestJob, isTransition } from "../../../../shared/snapshots/definitions/job.ts";
import {
  limitReachedBy,
  type SnapshotStore,
  type StoredDefinition,
} from "../../../../shared/snapshots/definitions/snapshot-store.ts";

/** A store of definitions and jobs in memory. */
export function memorySnapshots(): SnapshotStore {
  const definitions = new Map<string, StoredDefinition>();
  const jobs = new Map<number, HarvestJob>();
  let lastId = 0;
  return {
    definition: async (id) => definitions.get(id),
    definitions: async () => [...definitions.values()].map(({ definition }) => definition),
    earlierEvents: async () => [],
    async create(definition: HarvestDefinition) {
      if (definitions.has(definition.id)) return false;
      definitions.set(definition.id, { definition, version: 1 });
      return true;
    },
    async replace(definition, version) {
      if (definitions.get(definition.id)?.version !== version) return false;
      definitions.set(definition.id, { definition, version: version + 1 });
      return true;
    },
    async remove(id, version) {
      const stored = definitions.get(id);
      if (stored !== undefined && stored.version !== version) return false;
      definitions.delete(id);
      return true;
    },
    job: async (id) => jobs.get(id),
    jobs: async () => [...jobs.values()],
    async reserveJobIds(count) {
      lastId += count;
      return lastId - count + 1;
    },
    async addJob(job) {
      if (!jobs.has(job.id)) jobs.set(job.id, job);
    },
    async changeJob(id, from, change) {
      if (!isTransition(from, change.state))
        throw new Error(`a job cannot go from ${from} to ${change.state}`);
      const job = jobs.get(id);
      if (job?.state !== from) return false;
      jobs.set(id, { ...job, ...change });
      return true;
    },
    async countCapture(id, { bytes, limits }) {
      const job = jobs.get(id);
      if (job === undefined) return;
      const counted = { ...job, objects: job.objects + 1, bytes: job.bytes + bytes };
      const limit = limitReachedBy(counted, limits);
      jobs.set(id, { ...counted, ...(limit !== undefined && { limit }) });
    },
  };
}

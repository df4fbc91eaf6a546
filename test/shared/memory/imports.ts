import type { ConfigurationInput } from "../../../shared/records/sources/conf/import-configuration.ts";
import type { ImportJob, ImportJobStore } from "../../../shared/records/sources/conf/import-job.ts";

/** Imports in memory. */
export function memoryImports(): ImportJobStore {
  const jobs = new Map<string, ImportJob>();
  const inputs = new Map<string, ConfigurationInput>();
  return {
    async create(job, input) {
      jobs.set(job.importId, job);
      inputs.set(job.importId, input);
    },
    get: async (importId) => jobs.get(importId),
    async input(importId) {
      const input = inputs.get(importId);
      if (input === undefined) throw new Error(`there is no import ${importId}`);
      return input;
    },
    async update(importId, fields) {
      const job = jobs.get(importId);
      if (job !== undefined && job.state !== "done" && job.state !== "refused")
        jobs.set(importId, { ...job, ...fields });
    },
  };
}

import type { DefinitionEvent, DefinitionSummary, HarvestDefinition, HarvestLimits } from "./definition.ts";
import type { HarvestJob, JobState, JobSummary } from "./job.ts";

export interface StoredDefinition {
  definition: HarvestDefinition;
  /** Changes with each write. */
  version: number;
}

/** The harvest definitions and their jobs. */
export interface SnapshotStore {
  definition(id: string): Promise<StoredDefinition | undefined>;
  /** Returns all definitions. An archive has hundreds of them. */
  definitions(): Promise<DefinitionSummary[]>;
  /** Returns the newest `most` events before those in the definition's item. Some events may be in both. */
  earlierEvents(id: string, most: number): Promise<DefinitionEvent[]>;
  /** @returns false if the id is taken */
  create(definition: HarvestDefinition): Promise<boolean>;
  /** @returns false if the definition has changed since it was read */
  replace(definition: HarvestDefinition, version: number): Promise<boolean>;
  /** @returns false when the definition has changed since it was read; true when it is gone */
  remove(id: string, version: number): Promise<boolean>;
  job(id: number): Promise<HarvestJob | undefined>;
  jobs(): Promise<JobSummary[]>;
  /** Reserves ids that no other job has. @returns the first of them */
  reserveJobIds(count: number): Promise<number>;
  /** Adds a job, unless it exists. */
  addJob(job: HarvestJob): Promise<void>;
  /**
   * Changes a job that has the state `from`; its counts are unchanged. @returns false if it has another state
   */
  changeJob(id: number, from: JobState, change: JobChange): Promise<boolean>;
  /** Counts a captured URL, and records the limit that is reached by it. */
  countCapture(id: number, captured: { bytes: number; limits: JobLimits }): Promise<void>;
}

/** The limits that end a job early. */
export type JobLimits = Pick<HarvestLimits, "maxObjects" | "maxBytes">;

/**
 * Returns the limit that a job has reached. Undefined if a limit is already recorded, because a later limit
 * does not replace it.
 */
export function limitReachedBy(
  { limit, objects, bytes }: Pick<HarvestJob, "limit" | "objects" | "bytes">,
  { maxObjects, maxBytes }: JobLimits,
): HarvestJob["limit"] {
  if (limit !== undefined) return undefined;
  if (objects >= maxObjects) return "objects";
  return bytes >= maxBytes ? "bytes" : undefined;
}

export type JobChange = Pick<HarvestJob, "state"> &
  Partial<
    Pick<
      HarvestJob,
      | "repeatedBy"
      | "submittedAt"
      | "startedAt"
      | "endedAt"
      | "comment"
      | "hasCrawlLog"
      | "files"
      | "unreadLinks"
    >
  >;

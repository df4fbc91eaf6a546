import type { DefinitionEvent, DefinitionSummary, HarvestDefinition, HarvestLimits } from "./definition.ts";
import type { HarvestJob, JobState, JobSummary } from "./job.ts";

export interface StoredDefinition {
  definition: HarvestDefinition;
  /** Another one when it has changed since. */
  version: number;
}

/** The harvest definitions and their jobs. */
export interface SnapshotStore {
  definition(id: string): Promise<StoredDefinition | undefined>;
  /** All of them; an archive has hundreds. */
  definitions(): Promise<DefinitionSummary[]>;
  /** The events before those that a definition holds, the newest `most`; some may be in both. */
  earlierEvents(id: string, most: number): Promise<DefinitionEvent[]>;
  /** @returns false when the id is taken */
  create(definition: HarvestDefinition): Promise<boolean>;
  /** @returns false when the definition has changed since it was read */
  replace(definition: HarvestDefinition, version: number): Promise<boolean>;
  /** @returns false when the definition has changed since it was read; true when it is gone */
  remove(id: string, version: number): Promise<boolean>;
  job(id: number): Promise<HarvestJob | undefined>;
  jobs(): Promise<JobSummary[]>;
  /** Ids that no other job has. @returns the first of them */
  reserveJobIds(count: number): Promise<number>;
  /** Adds a job, unless it is there. */
  addJob(job: HarvestJob): Promise<void>;
  /** Changes a job that is in this state; figures are unchanged. @returns false when it is in another one */
  changeJob(id: number, from: JobState, change: JobChange): Promise<boolean>;
  /** Counts a captured URL, and notes the limit that is reached with it. */
  countCapture(id: number, captured: { bytes: number; limits: JobLimits }): Promise<void>;
}

/** The limits that end a job early. */
export type JobLimits = Pick<HarvestLimits, "maxObjects" | "maxBytes">;

/** The limit that a job has reached. Undefined also when one is noted already: a later one does not replace it. */
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

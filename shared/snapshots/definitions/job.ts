/** The states of a job, in the terms of NetarchiveSuite. */
export const jobStates = ["new", "submitted", "started", "done", "failed", "resubmitted"] as const;

export type JobState = (typeof jobStates)[number];

/**
 * The links that a capture did not read: links beyond the maximum per resource, and resources whose later
 * links were not read.
 */
export interface UnreadLinkCounts {
  /** The number of links after the 50,000th link of a resource. */
  dropped: number;
  /** The number of resources larger than 8 MiB, whose later links were not read. */
  cutResources: number;
}

/** A single crawl of a harvest. */
export interface HarvestJob {
  id: number;
  definitionId: string;
  state: JobState;
  seeds: readonly string[];
  createdAt: Date;
  /** When the message that begins the job was first sent. */
  submittedAt?: Date;
  startedAt?: Date;
  endedAt?: Date;
  /** Why the job failed, or which job repeats it. */
  comment?: string;
  /** Whether the crawl log is stored, so that an index can be built from the job. */
  hasCrawlLog: boolean;
  /** The id of the job that repeats it. */
  repeatedBy?: number;
  /** The number of captured URLs so far. */
  objects: number;
  /** The total size of bodies, as received. */
  bytes: number;
  /** The limit that ended the job early. */
  limit?: "objects" | "bytes";
  /** The links that were not read, once the job has ended; absent if all were read. */
  unreadLinks?: UnreadLinkCounts;
  /** The WARC files, once the job is done. */
  files: readonly string[];
  /** The uploaded files of a job that another crawler has run. */
  uploaded?: readonly string[];
}

/** A job without its seeds, which are read one job at a time. */
export type JobSummary = Omit<HarvestJob, "seeds">;

/**
 * The permitted transitions. Reports arrive by queue and may be repeated or reordered: a job may be reported
 * done before it is reported started. A resubmitted job remains in that state; the new job has a separate id.
 */
const next: Record<JobState, readonly JobState[]> = {
  new: ["submitted", "started", "done", "failed"],
  submitted: ["started", "done", "failed", "resubmitted"],
  started: ["done", "failed"],
  done: [],
  failed: ["resubmitted"],
  resubmitted: [],
};

/** Returns whether a job may change from one state to another. */
export function isTransition(from: JobState, to: JobState): boolean {
  return next[from].includes(to);
}

/** Returns whether a job can still store captures. */
export function isUnfinished({ state }: JobSummary): boolean {
  return state === "new" || state === "submitted" || state === "started";
}

/** Returns whether captures of a job may be originals of later captures. */
export function isIndexable({ state, hasCrawlLog }: JobSummary): boolean {
  return state === "done" || (state === "failed" && hasCrawlLog);
}

/**
 * Returns whether a job has stored captures. A job that failed without any response left a crawl log, but no
 * captures.
 */
export function hasData(job: JobSummary): boolean {
  return isIndexable(job) && (job.state === "done" || job.objects > 0);
}

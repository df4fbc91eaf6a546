/** The states of a job, in the words of NetarchiveSuite. */
export const jobStates = ["new", "submitted", "started", "done", "failed", "resubmitted"] as const;

export type JobState = (typeof jobStates)[number];

/** The links that a capture did not read. */
export interface UnreadLinkCounts {
  /** The number of links after the 50,000th link of a resource. */
  dropped: number;
  /** The number of resources larger than 8 MiB, whose later links were not read. */
  cutResources: number;
}

/** One crawl of a harvest. */
export interface HarvestJob {
  id: number;
  definitionId: string;
  state: JobState;
  seeds: readonly string[];
  createdAt: Date;
  /** When the message was first sent that begins it. */
  submittedAt?: Date;
  startedAt?: Date;
  endedAt?: Date;
  /** Why it failed, or which job repeats it. */
  comment?: string;
  /** Whether its crawl log is stored, so that an index can be built from it. */
  hasCrawlLog: boolean;
  /** The job that repeats it. */
  repeatedBy?: number;
  /** What it has captured so far. */
  objects: number;
  /** The size of bodies, as they came. */
  bytes: number;
  /** The limit that ended it early. */
  limit?: "objects" | "bytes";
  /** Links that were not read, when it has ended; absent when all were. */
  unreadLinks?: UnreadLinkCounts;
  /** Its WARC files, when it is done. */
  files: readonly string[];
  /** For a job of another crawler, its uploaded files. */
  uploaded?: readonly string[];
}

/** A job as lists have it: seeds are read one job at a time. */
export type JobSummary = Omit<HarvestJob, "seeds">;

/**
 * Reports come by queue and may be repeated or overtake each other: a job may be reported done before it is reported
 * started. A job that was resubmitted stays so; the new job has an id of its own.
 */
const next: Record<JobState, readonly JobState[]> = {
  new: ["submitted", "started", "done", "failed"],
  submitted: ["started", "done", "failed", "resubmitted"],
  started: ["done", "failed"],
  done: [],
  failed: ["resubmitted"],
  resubmitted: [],
};

/** Whether a job in one state may take the other. */
export function isTransition(from: JobState, to: JobState): boolean {
  return next[from].includes(to);
}

/** Whether a job can still store something. */
export function isUnfinished({ state }: JobSummary): boolean {
  return state === "new" || state === "submitted" || state === "started";
}

/** Whether captures of a job may be originals of later ones. */
export function isIndexable({ state, hasCrawlLog }: JobSummary): boolean {
  return state === "done" || (state === "failed" && hasCrawlLog);
}

/** Whether a job has stored something: one that failed with no answer at all left a crawl log, but no data. */
export function hasData(job: JobSummary): boolean {
  return isIndexable(job) && (job.state === "done" || job.objects > 0);
}

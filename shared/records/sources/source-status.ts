export interface SourceStatus {
  sourceId: string;
  /** ISO 8601; the first live run that saw the source. Absent for test sources. */
  addedAt?: string;
  /** ISO 8601; absent before the first delivery. */
  lastDeliveredAt?: string;
}

/** The results of a source in a run, in brief. */
export interface RecentRun {
  runId: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  state: "read" | "failed";
  /** Records. */
  delivered: number;
}

/** A run a day for two weeks, and as many that operators started. */
const keptRuns = 28;

/** The recent runs with one more, in place of what was known of the same run. */
export function withRecentRun(known: readonly RecentRun[], run: RecentRun): RecentRun[] {
  const others = known.filter(({ runId }) => runId !== run.runId);
  const key = ({ startedAt, runId }: RecentRun) => `${startedAt}#${runId}`;
  return [run, ...others].sort((a, b) => (key(a) > key(b) ? -1 : 1)).slice(0, keptRuns);
}

export interface SourceStatusStore {
  /** What is known of these sources, by id; consistent. */
  statuses(sourceIds: readonly string[]): Promise<Map<string, SourceStatus>>;
  /** The last reported runs that read each of these sources, by its id, newest first. */
  recentRuns(sourceIds: readonly string[]): Promise<Map<string, RecentRun[]>>;
  /** Stores the first time that a source was seen; later calls change nothing. */
  markAdded(sourceId: string, at: string): Promise<void>;
  /** Moves the last delivery forward, never back. */
  markDelivered(sourceId: string, at: string): Promise<void>;
  /** Stores the results of a run, replacing earlier ones. */
  addRun(sourceId: string, run: RecentRun): Promise<void>;
}

export interface SourceStatus {
  sourceId: string;
  /** When a live run first saw the source. ISO 8601; absent for test sources. */
  addedAt?: string;
  /** When the source was last delivered. ISO 8601; absent before the first delivery. */
  lastDeliveredAt?: string;
}

/** A summary of a source's results in a run. */
export interface RecentRun {
  runId: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  state: "read" | "failed";
  /** The number of delivered records. */
  delivered: number;
}

/** The number of kept runs: one run a day for two weeks, and the same number of runs that operators started. */
const keptRuns = 28;

/** Adds a run to the recent runs. If the same run is already among them, it is replaced. */
export function withRecentRun(known: readonly RecentRun[], run: RecentRun): RecentRun[] {
  const others = known.filter(({ runId }) => runId !== run.runId);
  const key = ({ startedAt, runId }: RecentRun) => `${startedAt}#${runId}`;
  return [run, ...others].sort((a, b) => (key(a) > key(b) ? -1 : 1)).slice(0, keptRuns);
}

export interface SourceStatusStore {
  /** Reads the statuses of these sources, by id. The reads are consistent. */
  statuses(sourceIds: readonly string[]): Promise<Map<string, SourceStatus>>;
  /** Reads the last reported runs of each of these sources, by its id, newest first. */
  recentRuns(sourceIds: readonly string[]): Promise<Map<string, RecentRun[]>>;
  /** Stores the time when a source was first seen. Later calls change nothing. */
  markAdded(sourceId: string, at: string): Promise<void>;
  /** Stores the time of the last delivery. An earlier time than the stored one changes nothing. */
  markDelivered(sourceId: string, at: string): Promise<void>;
  /** Stores the results of a run, replacing earlier results of the same run. */
  addRun(sourceId: string, run: RecentRun): Promise<void>;
}

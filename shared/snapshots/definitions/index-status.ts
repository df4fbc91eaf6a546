/** The state of the deduplication index that an active definition waits for. */
export type IndexState = "requested" | "building" | "ready" | "ready-partial" | "failed" | "expired";

/** An index that is whole. */
export interface BuiltIndex {
  name: string;
  shards: number;
  entries: number;
}

export interface IndexStatus {
  state: IndexState;
  /** Of the activation that has requested it. */
  generation: number;
  /** The jobs that it is built from, fixed at the activation. */
  jobIds: readonly number[];
  /** Of a partial index: the jobs that could not be read. */
  missing: readonly number[];
  /** Where it is, when it is ready. Absent: there was nothing to index. */
  built?: BuiltIndex;
  /** How often it was requested since the activation. */
  builds: number;
  /** When a build that has not answered counts as failed. */
  deadline: Date;
}

/** The share of the jobs that a partial index must hold. */
export const defaultMinimumShare = 0.7;

/** What a build says when it ends. */
export interface IndexAnswer {
  definitionId: string;
  generation: number;
  /** The jobs that could not be read. */
  missing: readonly number[];
  index?: BuiltIndex | undefined;
  /** Set when there is no index. */
  error?: string | undefined;
}

/** The state after a build: a partial index serves if it holds the minimum share of its jobs. */
export function stateAfter(
  { jobIds }: Pick<IndexStatus, "jobIds">,
  { missing, error }: Pick<IndexAnswer, "missing" | "error">,
  minimumShare = defaultMinimumShare,
): "ready" | "ready-partial" | "failed" {
  if (error !== undefined) return "failed";
  if (missing.length === 0) return "ready";
  return jobIds.length - missing.length >= minimumShare * jobIds.length ? "ready-partial" : "failed";
}

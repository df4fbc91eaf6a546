import type { BuiltIndex } from "../index/build/index-answer.ts";

/** The state of the deduplication index that an active definition waits for. */
type IndexState = "requested" | "building" | "ready" | "ready-partial" | "failed" | "expired";

export interface IndexStatus {
  state: IndexState;
  /** The generation of the activation that has requested it. */
  generation: number;
  /** The jobs that it is built from, fixed at the activation. */
  jobIds: readonly number[];
  /** For a partial index, the jobs that could not be read. */
  missing: readonly number[];
  /** Where it is, when it is ready. Absent: there was nothing to index. */
  built?: BuiltIndex;
  /** How often it was requested since the activation. */
  builds: number;
  /** When a build that has not answered counts as failed. */
  deadline: Date;
}

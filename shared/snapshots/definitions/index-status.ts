import type { BuiltIndex } from "../index/build/index-answer.ts";

/** The state of the deduplication index that an active definition waits for. */
type IndexState = "requested" | "building" | "ready" | "ready-partial" | "failed" | "expired";

export interface IndexStatus {
  state: IndexState;
  /** The generation of the activation that requested the index. */
  generation: number;
  /** The jobs from which it is built, fixed at the activation. */
  jobIds: readonly number[];
  /** The jobs that could not be read, for a partial index. */
  missing: readonly number[];
  /** The built index, when it is ready. Absent if there was nothing to index. */
  built?: BuiltIndex;
  /** How often the index was requested since the activation. */
  builds: number;
  /** When a build without a result counts as failed. */
  deadline: Date;
}

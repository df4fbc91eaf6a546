import * as z from "zod";

/** The state of the deduplication index that an active definition waits for. */
export type IndexState = "requested" | "building" | "ready" | "ready-partial" | "failed" | "expired";

/** An index that is whole. */
const builtIndex = z.strictObject({ name: z.string(), shards: z.int().min(1), entries: z.int().min(0) });
export type BuiltIndex = z.output<typeof builtIndex>;

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

/** What a build of an index says when it begins, and when it ends. */
export const indexAnswer = z.union([
  z.strictObject({ definitionId: z.string(), generation: z.int(), state: z.literal("building") }),
  z.strictObject({
    definitionId: z.string(),
    generation: z.int(),
    missing: z.array(z.int()).describe("The jobs that could not be read"),
    index: builtIndex.optional(),
    error: z.string().optional().describe("Set when there is no index"),
  }),
]);
export type IndexAnswer = z.output<typeof indexAnswer>;

/** The state after a build: a partial index serves if it holds the minimum share of its jobs. */
export function stateAfter(
  { jobIds }: Pick<IndexStatus, "jobIds">,
  { missing, error }: { missing: readonly number[]; error?: string | undefined },
  minimumShare = defaultMinimumShare,
): "ready" | "ready-partial" | "failed" {
  if (error !== undefined) return "failed";
  if (missing.length === 0) return "ready";
  return jobIds.length - missing.length >= minimumShare * jobIds.length ? "ready-partial" : "failed";
}

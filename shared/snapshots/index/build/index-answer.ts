import * as z from "zod";

/** A complete index. */
const builtIndex = z.strictObject({ name: z.string(), shards: z.int().min(1), entries: z.int().min(0) });
export type BuiltIndex = z.output<typeof builtIndex>;

/** The default of the minimum share of the jobs in a partial index. */
export const defaultMinimumShare = 0.7;

/** The messages of an index build at its beginning and its end. */
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

/** Returns the state after a build. A partial index is used if it has the minimum share of its jobs. */
export function stateAfter(
  { jobIds }: { jobIds: readonly number[] },
  { missing, error }: { missing: readonly number[]; error?: string | undefined },
  minimumShare = defaultMinimumShare,
): "ready" | "ready-partial" | "failed" {
  if (error !== undefined) return "failed";
  if (missing.length === 0) return "ready";
  return jobIds.length - missing.length >= minimumShare * jobIds.length ? "ready-partial" : "failed";
}

import * as z from "zod";

/** The stages of a delivery, in order. Each stores its result, so that it can be repeated, and requests the next. */
export const stages = ["validate", "upload", "archive", "overdue", "report"] as const;
export type Stage = (typeof stages)[number];

/** The steps of stages that are divided into parts, each worked on by a message of its own. */
const dividedSteps = [
  "validate",
  "settle-refused",
  "settle-taken",
  "claim-valid",
  "claim-onlineFirst",
  "claim-delinquent",
  "archive",
] as const;
export type DividedStepName = (typeof dividedSteps)[number];

/**
 * Steps whose stored result a repeat continues from: the stages, the parts of the validation and their results, the end of
 * its writes, the claims for a part of a list, the plan of the upload, keys of files planned without their group,
 * delivered files, archived parts of files, and sent mails.
 */
export type Checkpoint =
  | Stage
  | "division"
  | `validated-${string}`
  | "settled"
  | "plan"
  | `claimed-${string}`
  | `key-${string}`
  | `file-${string}`
  | `archived-${string}`
  | `mail-${string}`;

/** The message of the queue of each stage. */
export const stageRequest = z.object({
  runId: z.string().min(1),
  /** Requests one part of a step; a message without one requests the stage. */
  part: z.object({ step: z.enum(dividedSteps), id: z.string().regex(/^\d+(\.\d+)?$/) }).optional(),
  /** Requests the report of this failure; a report without one is that of the run's end. */
  failure: z.object({ stage: z.string(), reason: z.string(), at: z.iso.datetime() }).optional(),
});
export type StageRequest = z.output<typeof stageRequest>;

/**
 * How often a stage is tried before it has failed: the receives of its queue before the dead-letter queue. An hour in which
 * Lambda is throttled takes two of them.
 */
export const stageTries = 5;

export interface StageQueue {
  /** Requests a stage of a run. */
  send(message: StageRequest): Promise<void>;
}

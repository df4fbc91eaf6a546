import * as z from "zod";

/**
 * The stages of a delivery, in order. Each stage stores its result, so that it can be repeated, and requests the next
 * stage.
 */
export const stages = ["validate", "upload", "archive", "overdue", "report"] as const;
export type Stage = (typeof stages)[number];

/** Steps of stages that are divided into parts. A separate message processes each part. */
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
 * The steps whose stored result is reused when a stage is repeated. They are the stages, the parts of the validation,
 * their results and the quality of their records, the end of its writes, the claims for a part of a list, the plan of the upload, the keys of files
 * planned without their group, delivered files, archived parts of files, and sent mails.
 */
export type Checkpoint =
  | Stage
  | "division"
  | `validated-${string}`
  | "quality"
  | `quality-${string}`
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
  /** Requests one part of a step. A message without a part requests the stage. */
  part: z.object({ step: z.enum(dividedSteps), id: z.string().regex(/^\d+(\.\d+)?$/) }).optional(),
  /** Requests the report of this failure. A report without a failure is the report at the end of the run. */
  failure: z.object({ stage: z.string(), reason: z.string(), at: z.iso.datetime() }).optional(),
});
export type StageRequest = z.output<typeof stageRequest>;

/**
 * The number of times that a stage is tried before it counts as failed. It is the number of receives from its queue
 * before the dead-letter queue. An hour in which Lambda is throttled uses up two of them.
 */
export const stageTries = 5;

export interface StageQueue {
  /** Requests a stage of a run. */
  send(message: StageRequest): Promise<void>;
}

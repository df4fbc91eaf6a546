import { z } from "zod";

/** The stages of a delivery, in order. Each leaves its result, so that it can be repeated, and asks for the next. */
export const stages = ["validate", "upload", "archive", "overdue", "report"] as const;
export type Stage = (typeof stages)[number];

/**
 * What leaves a result that a repeat goes on from: the stages, the plan that the upload follows, the keys that it has not
 * found, files that are out, and mails that are sent.
 */
export type Checkpoint = Stage | "plan" | `key-${string}` | `file-${string}` | `mail-${string}`;

/** The message of the queue of each stage. */
export const stageRequest = z.object({
  runId: z.string().min(1),
  /** Asks for the report of this failure; a report without one is that of the run's end. */
  failure: z.object({ stage: z.string(), reason: z.string(), at: z.iso.datetime() }).optional(),
});
export type StageRequest = z.output<typeof stageRequest>;

/** How often a stage is tried before it counts as failed: what its queue hands out before the dead-letter queue. */
export const stageTries = 3;

export interface StageQueue {
  /** Asks for a stage of a run. */
  send(message: StageRequest): Promise<void>;
}

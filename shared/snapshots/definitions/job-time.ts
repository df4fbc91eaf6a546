import type { HarvestDefinition } from "./definition.ts";
import type { HarvestJob } from "./job.ts";

/**
 * A URL of a job that has no outcome so long after the limit of time gets none: its request, or the message about its
 * response, is in a dead-letter queue.
 */
const giveUpAfterMs = 3_600_000;

/** When the requests of a job are refused; undefined of one that has not begun. */
export function lastRequestAt(
  { startedAt }: Pick<HarvestJob, "startedAt">,
  { limits }: Pick<HarvestDefinition, "limits">,
): Date | undefined {
  return startedAt && new Date(startedAt.getTime() + limits.maxMinutes * 60_000);
}

/** Whether the URLs of a job that have no outcome are given up. */
export function isGivenUp(
  job: Pick<HarvestJob, "startedAt">,
  definition: Pick<HarvestDefinition, "limits">,
  at: Date,
): boolean {
  const last = lastRequestAt(job, definition);
  return last !== undefined && at.getTime() > last.getTime() + giveUpAfterMs;
}

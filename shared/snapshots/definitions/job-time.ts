import type { HarvestDefinition } from "./definition.ts";
import type { HarvestJob } from "./job.ts";

/**
 * A URL that has no outcome so long after the job's limit of time, or after its response went to a dead-letter queue, gets
 * none. Until then, the queue may be redriven.
 */
const giveUpAfterMs = 3_600_000;

/** When the requests of a job are refused; undefined of one that has not begun. */
export function lastRequestAt(
  { startedAt }: Pick<HarvestJob, "startedAt">,
  { limits }: Pick<HarvestDefinition, "limits">,
): Date | undefined {
  return startedAt && new Date(startedAt.getTime() + limits.maxMinutes * 60_000);
}

/** Whether a URL is given up whose response could not be read. @param unreadAt ISO 8601 */
export function isUnreadForGood(unreadAt: string, at: Date): boolean {
  return at.getTime() > Date.parse(unreadAt) + giveUpAfterMs;
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

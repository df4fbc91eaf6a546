import type { HarvestDefinition } from "./definition.ts";
import type { HarvestJob } from "./job.ts";

/**
 * A URL without an outcome is given up this long after the job's time limit, or after its response was
 * dead-lettered. Until then, the queue may be redriven.
 */
const giveUpAfterMs = 3_600_000;

/** Returns when the requests of a job are refused; undefined for a job that has not begun. */
export function lastRequestAt(
  { startedAt }: Pick<HarvestJob, "startedAt">,
  { limits }: Pick<HarvestDefinition, "limits">,
): Date | undefined {
  return startedAt && new Date(startedAt.getTime() + limits.maxMinutes * 60_000);
}

/** Returns whether a URL whose response could not be read is given up. @param unreadAt ISO 8601 */
export function isUnreadForGood(unreadAt: string, at: Date): boolean {
  return at.getTime() > Date.parse(unreadAt) + giveUpAfterMs;
}

/** Returns whether the URLs of a job without an outcome are given up. */
export function isGivenUp(
  job: Pick<HarvestJob, "startedAt">,
  definition: Pick<HarvestDefinition, "limits">,
  at: Date,
): boolean {
  const last = lastRequestAt(job, definition);
  return last !== undefined && at.getTime() > last.getTime() + giveUpAfterMs;
}

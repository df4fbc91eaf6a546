import { Failures } from "../../core/failures.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { Events } from "../../records/events/events.ts";
import { afterDeadline, requestedAt } from "./activation.ts";
import { type DefinitionPorts, requestIndex } from "./change-definition.ts";
import { type DefinitionSummary, mayStart, withEvent } from "./definition.ts";
import { indexEvent } from "./index-event.ts";
import { type HarvestJob, isUnfinished, jobStates } from "./job.ts";
import type { JobMessage } from "./job-message.ts";
import { isGivenUp } from "./job-time.ts";
import { isLate, makeJobs, type SubmitJobsPorts, submitJobs } from "./submit-jobs.ts";
import { type OperatorMailPorts, tellOperators } from "./tell-operators.ts";
import { updateDefinition } from "./update-definition.ts";
import { endForgottenUploads } from "./uploaded-jobs.ts";

interface GenerateJobsPorts extends DefinitionPorts, SubmitJobsPorts, OperatorMailPorts {
  /** Starts the end of jobs whose URLs are all done. */
  capturedJobs: { send(message: JobMessage): Promise<void> };
  urls: {
    /** Returns whether a job still has wanted URLs. */
    hasWanted(jobId: number): Promise<boolean>;
  };
  events: Events;
}

/** For how long a mail about an expired index is sent again if it was lost. */
const repeatMailMs = 24 * 3_600_000;

/**
 * Creates the jobs of definitions that may start. Repeats lost messages: requests for an index, and the
 * beginnings and ends of jobs. Jobs that have started are also ended if their definition was deactivated. It
 * runs every minute, and can be repeated after an interruption at any point.
 * @throws PlatformError if some definitions failed; the others were processed
 */
export async function generateJobs(
  at: Date,
  ports: GenerateJobsPorts,
): Promise<{ active: number; made: number }> {
  const definitions = await ports.snapshots.definitions();
  let made = 0;
  const failures = new Failures();
  for (const definition of definitions)
    made += (await failures.try(definition.id, () => serve(definition, at, ports))) ?? 0;
  failures.throwAny((ids) => `${pluralize(ids.length, "harvest definition")} could not be served`);
  return { active: definitions.filter(({ isActive }) => isActive).length, made };
}

/** Processes a definition. @returns the number of jobs created */
async function serve(definition: DefinitionSummary, at: Date, ports: GenerateJobsPorts): Promise<number> {
  const { id, jobIds, endedAt } = definition;
  await pursueIndex(definition, at, ports);
  const made = mayStart(definition) ? await makeJobs(id, at, ports) : 0;
  if (made > 0 || (jobIds.length > 0 && endedAt === undefined)) await pursueJobs(id, at, ports);
  return made;
}

/** Requests a late index again, or reports that the index has expired. */
async function pursueIndex(definition: DefinitionSummary, at: Date, ports: GenerateJobsPorts): Promise<void> {
  const { id, index, isActive, generation } = definition;
  const late = afterDeadline(definition, at);
  if (late !== undefined) {
    // The event is published before the state changes, because a repetition publishes it again under the same
    // id.
    const event = indexEvent(late);
    if (event !== undefined) await ports.events.publish(event);
    const stored = await updateDefinition(id, ports, (now) => {
      const changed = afterDeadline(now, at);
      return changed === undefined ? now : withEvent(changed, at, changed.comment ?? "index expired");
    });
    if (stored === undefined) return;
    await requestIndex(stored.definition, ports);
    await tellOperators(stored.definition, stored.definition.generation, ports);
    return;
  }
  if (!isActive) {
    const isTold = index?.state === "expired" && at.getTime() - index.deadline.getTime() < repeatMailMs;
    if (isTold) await tellOperators(definition, generation, ports);
    return;
  }
  if (index?.state === "requested" && isLate(requestedAt(index), at)) {
    await requestIndex(definition, ports);
  }
}

/**
 * Begins the jobs of a definition, ends those that have no URLs left or are given up, and records when all
 * have ended.
 */
async function pursueJobs(id: string, at: Date, ports: GenerateJobsPorts): Promise<void> {
  const jobs = await endForgottenUploads(await submitJobs(id, ports), at, ports);
  const stored = await ports.snapshots.definition(id);
  for (const job of jobs) {
    if (job.state !== "started") continue;
    const isOver = stored !== undefined && isGivenUp(job, stored.definition, at);
    if (!isOver && (await ports.urls.hasWanted(job.id))) continue;
    // A job may have no wanted URLs because its seeds were lost.
    if (!isOver && isLate(job.startedAt, at)) await ports.captureJobs.send({ jobId: job.id });
    await ports.capturedJobs.send({ jobId: job.id });
  }
  const known = new Set(jobs.map((job) => job.id));
  if (jobs.some(isUnfinished)) return;
  await updateDefinition(id, ports, (definition) => {
    const isEnded = definition.jobIds.every((jobId) => known.has(jobId));
    if (!isEnded || definition.endedAt !== undefined) return definition;
    return withEvent({ ...definition, endedAt: at }, at, `ended: ${countStates(jobs)}`);
  });
}

/** Counts jobs by state, such as "2 jobs done, 1 job failed". */
function countStates(jobs: readonly HarvestJob[]): string {
  const counts = jobStates.map((name) => [jobs.filter(({ state }) => state === name).length, name] as const);
  return counts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${pluralize(count, "job")} ${name}`)
    .join(", ");
}

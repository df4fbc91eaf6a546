import { pluralize } from "../../core/pluralize.ts";
import type { DefinitionPorts } from "./change-definition.ts";
import { type HarvestDefinition, mayCapture, mayStart, withEvent } from "./definition.ts";
import type { HarvestJob } from "./job.ts";
import type { JobMessage } from "./job-message.ts";

export interface SubmitJobsPorts extends Pick<DefinitionPorts, "snapshots" | "clock"> {
  /** Begins jobs. */
  captureJobs: { send(message: JobMessage): Promise<void> };
}

/** The time after which a message without an effect is sent again. */
const repeatAfterMs = 5 * 60_000;

/** The maximum number of seeds per job. */
const seedsPerJob = 500;

/**
 * Creates the jobs of a definition that may start. Their ids are first fixed in the definition, so that a
 * repetition creates the same jobs.
 * @returns the number of jobs created
 */
export async function makeJobs(
  id: string,
  at: Date,
  { snapshots }: Pick<SubmitJobsPorts, "snapshots">,
): Promise<number> {
  const current = await snapshots.definition(id);
  if (current === undefined || !mayStart(current.definition)) return 0;
  const count = Math.ceil(current.definition.seeds.length / seedsPerJob);
  const first = await snapshots.reserveJobIds(count);
  const jobIds = Array.from({ length: count }, (_, index) => first + index);
  const changed = withEvent(
    { ...current.definition, jobIds },
    at,
    `${pluralize(count, "job")} made: ${jobIds.join(", ")}`,
  );
  // Ids that another invocation did not need remain unused.
  return (await snapshots.replace(changed, current.version)) ? count : 0;
}

/**
 * Adds the jobs that a definition names, and submits those that have not begun, if they may begin. Can be
 * repeated. The message that begins a job is sent again after some minutes, because it may have been lost.
 * @returns the existing jobs, as they were before
 */
export async function submitJobs(id: string, ports: SubmitJobsPorts): Promise<HarvestJob[]> {
  const { snapshots, captureJobs } = ports;
  const stored = await snapshots.definition(id);
  if (stored === undefined) return [];
  const { definition } = stored;
  const jobs: HarvestJob[] = [];
  for (const [index, jobId] of definition.jobIds.entries()) {
    const known = await snapshots.job(jobId);
    if (known !== undefined) jobs.push(known);
    const at = ports.clock.now();
    if (!mayCapture(definition) || (known !== undefined && !isToSubmit(known, at))) continue;
    if (known === undefined) {
      const job = newJob(definition, index, at);
      await snapshots.addJob(job);
      jobs.push(job);
    }
    await captureJobs.send({ jobId });
    await snapshots.changeJob(jobId, "new", { state: "submitted", submittedAt: at });
  }
  return jobs;
}

function isToSubmit({ state, submittedAt }: HarvestJob, at: Date): boolean {
  return state === "new" || (state === "submitted" && isLate(submittedAt, at));
}

/**
 * Returns whether work that began at a time should have had an effect by now; false for work that has not
 * begun.
 */
export function isLate(begunAt: Date | undefined, at: Date): boolean {
  return begunAt !== undefined && at.getTime() - begunAt.getTime() > repeatAfterMs;
}

/** Creates a job. @param index its place among the jobs of the definition, which determines its seeds */
function newJob({ id, jobIds, seeds }: HarvestDefinition, index: number, createdAt: Date): HarvestJob {
  return {
    id: jobIds[index] ?? 0,
    definitionId: id,
    state: "new",
    seeds: seeds.slice(index * seedsPerJob, (index + 1) * seedsPerJob),
    createdAt,
    hasCrawlLog: false,
    objects: 0,
    bytes: 0,
    files: [],
  };
}

import type { DefinitionPorts } from "./change-definition.ts";
import { withEvent } from "./definition.ts";
import type { HarvestJob } from "./job.ts";
import { updateDefinition } from "./update-definition.ts";

/**
 * Creates another job with the same seeds, for a job that failed, or that was submitted but has not started.
 * The next run of `generateJobs` begins the new job if its definition is active. Can be repeated: it then
 * returns the job that it created before.
 * @returns the new job; a reason as text if the job has another state; undefined if the job does not exist
 */
export async function resubmitJob(
  id: number,
  ports: Pick<DefinitionPorts, "snapshots" | "clock">,
): Promise<HarvestJob | { refusal: string } | undefined> {
  const { snapshots } = ports;
  const job = await snapshots.job(id);
  if (job === undefined) return undefined;
  if (job.uploaded !== undefined)
    return { refusal: `job ${id} was done by another crawler; it cannot be resubmitted` };
  if (job.state === "failed" || job.state === "submitted") await makeAgain(job, ports);
  const now = await snapshots.job(id);
  const again = now?.repeatedBy === undefined ? undefined : await snapshots.job(now.repeatedBy);
  if (again === undefined)
    return { refusal: `job ${id} is ${job.state}; only a submitted or failed job is resubmitted` };
  await updateDefinition(job.definitionId, ports, (definition) => {
    if (definition.jobIds.includes(again.id)) return definition;
    const { endedAt: _goesOn, ...rest } = definition;
    const jobIds = [...definition.jobIds, again.id];
    return withEvent({ ...rest, jobIds }, ports.clock.now(), `job ${id} resubmitted as ${again.id}`);
  });
  return again;
}

/** Adds the new job before the old job names it. A job that its definition does not name is never begun. */
async function makeAgain(
  job: HarvestJob,
  { snapshots, clock }: Pick<DefinitionPorts, "snapshots" | "clock">,
): Promise<void> {
  const newId = await snapshots.reserveJobIds(1);
  const {
    submittedAt: _sent,
    startedAt: _begun,
    endedAt: _ended,
    comment: _reason,
    limit: _limit,
    ...rest
  } = job;
  await snapshots.addJob({
    ...rest,
    id: newId,
    state: "new",
    createdAt: clock.now(),
    hasCrawlLog: false,
    objects: 0,
    bytes: 0,
    files: [],
  });
  await snapshots.changeJob(job.id, job.state, { state: "resubmitted", repeatedBy: newId });
}

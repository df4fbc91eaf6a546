import { type DefinitionPorts, update } from "./change-definition.ts";
import { withEvent } from "./definition.ts";
import type { HarvestJob } from "./job.ts";

/**
 * Makes another job of a failed one, with the same seeds; the next run of `generateJobs` begins it. Repeatable: it gives the
 * job that it has made before.
 * @returns the new job; a reason as text when the job has not failed; undefined when there is no such job
 */
export async function resubmitJob(
  id: number,
  ports: Pick<DefinitionPorts, "snapshots" | "clock">,
): Promise<HarvestJob | { refusal: string } | undefined> {
  const { snapshots } = ports;
  const job = await snapshots.job(id);
  if (job === undefined) return undefined;
  if (job.state === "failed") await makeAgain(job, ports);
  const now = await snapshots.job(id);
  const again = now?.repeatedBy === undefined ? undefined : await snapshots.job(now.repeatedBy);
  if (again === undefined) return { refusal: `job ${id} is ${job.state}; only a failed job is resubmitted` };
  await update(job.definitionId, snapshots, (definition) =>
    definition.jobIds.includes(again.id)
      ? definition
      : withEvent(
          { ...definition, jobIds: [...definition.jobIds, again.id] },
          ports.clock.now(),
          `job ${id} resubmitted as ${again.id}`,
        ),
  );
  return again;
}

/** Adds the new job before the failed one names it. A job that no definition names is never begun. */
async function makeAgain(
  job: HarvestJob,
  { snapshots, clock }: Pick<DefinitionPorts, "snapshots" | "clock">,
): Promise<void> {
  const newId = await snapshots.reserveJobIds(1);
  const { startedAt: _begun, endedAt: _ended, comment: _reason, limit: _limit, ...rest } = job;
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
  await snapshots.changeJob(job.id, "failed", { state: "resubmitted", repeatedBy: newId });
}

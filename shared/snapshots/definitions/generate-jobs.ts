import { pluralize } from "../../core/pluralize.ts";
import type { Mailer } from "../../mail/mailer.ts";
import { afterDeadline } from "./activation.ts";
import { type DefinitionPorts, requestIndex, update } from "./change-definition.ts";
import { type HarvestDefinition, mayStart, withEvent } from "./definition.ts";
import { isUnfinished } from "./job.ts";
import { tellOperators } from "./record-index.ts";

export interface GenerateJobsPorts extends DefinitionPorts {
  /** Begins jobs. */
  captureJobs: { send(message: { jobId: number }): Promise<void> };
  /** Ends jobs whose URLs are all done. */
  capturedJobs: { send(message: { jobId: number }): Promise<void> };
  mailer: Mailer;
  recipients: string[];
}

/** Seeds of one job. */
const seedsPerJob = 500;

/** A request for an index that nobody has begun after this time is repeated. */
const repeatAfterMs = 5 * 60_000;

/**
 * Makes jobs of the definitions that may start, and repeats what was lost: requests for an index, the beginnings of jobs, and
 * their ends. Every minute; repeatable at any point.
 */
export async function generateJobs(
  at: Date,
  ports: GenerateJobsPorts,
): Promise<{ active: number; made: number }> {
  const active = (await ports.snapshots.definitions()).filter(({ definition }) => definition.isActive);
  let made = 0;
  for (const { definition } of active) made += await serve(definition, at, ports);
  return { active: active.length, made };
}

async function serve(definition: HarvestDefinition, at: Date, ports: GenerateJobsPorts): Promise<number> {
  const { id, index } = definition;
  if (afterDeadline(definition, at) !== undefined) {
    const stored = await update(id, ports.snapshots, (now) => {
      const changed = afterDeadline(now, at);
      return changed === undefined ? now : withEvent(changed, at, changed.comment ?? "index expired");
    });
    if (stored === undefined) return 0;
    await requestIndex(stored.definition, ports);
    await tellOperators(stored.definition, stored.definition.generation, ports);
    return 0;
  }
  const requestedAt = definition.history.findLast(({ what }) => what.startsWith("activated"))?.at;
  if (index?.state === "requested" && at.getTime() - (requestedAt?.getTime() ?? 0) > repeatAfterMs) {
    await requestIndex(definition, ports);
  }
  const made = mayStart(definition) ? await makeJobs(id, at, ports) : 0;
  await pursueJobs(id, ports);
  return made;
}

/** Fixes the ids of the jobs in the definition first: a repetition makes the same ones. */
async function makeJobs(id: string, at: Date, { snapshots }: GenerateJobsPorts): Promise<number> {
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
  // Ids that another invocation did not need stay unused.
  return (await snapshots.replace(changed, current.version)) ? count : 0;
}

/** Adds the jobs of a definition that are not there, begins those that nobody has begun, and ends those that have no URL left. */
async function pursueJobs(
  id: string,
  { snapshots, captureJobs, capturedJobs, clock }: GenerateJobsPorts,
): Promise<void> {
  const stored = await snapshots.definition(id);
  if (stored === undefined) return;
  const { jobIds, seeds } = stored.definition;
  for (const [index, jobId] of jobIds.entries()) {
    const known = await snapshots.job(jobId);
    if (known === undefined) {
      await snapshots.addJob({
        id: jobId,
        definitionId: id,
        state: "new",
        seeds: seeds.slice(index * seedsPerJob, (index + 1) * seedsPerJob),
        createdAt: clock.now(),
        hasCrawlLog: false,
        objects: 0,
        bytes: 0,
        files: [],
      });
    }
    if (known === undefined || known.state === "new") {
      await captureJobs.send({ jobId });
      await snapshots.changeJob(jobId, "new", { state: "submitted" });
    } else if (isUnfinished(known) && known.state === "started") {
      await capturedJobs.send({ jobId });
    }
  }
}

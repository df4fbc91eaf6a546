import { digest } from "../../../core/digest.ts";
import { inParallel } from "../../../core/in-parallel.ts";
import type { MissingJob } from "./build-steps.ts";
import type { IndexBuildPorts, IndexRequest } from "./index-build.ts";
import { type JobInput, planIndex } from "./index-plan.ts";
import { inputOfJob } from "./job-input.ts";
import { proceed } from "./proceed.ts";
import { idsOf, type StoredPlan, storePlan, tooFewJobs } from "./stored-plan.ts";

/** A function has memory for so much. */
const divisionBytes = 128 * 1024 * 1024;

/** A function decompresses 8 GB before its range in its time. */
const compressedDivisionBytes = 512 * 1024 * 1024;

const jobsAtOnce = 16;

/**
 * Begins the build of an index, or joins one of the same files and settings: so a repeated request, also under a new
 * generation,, continues what is there. It sends the steps that can be done and answers `building`, or the result when
 * there is one.
 */
export async function planBuild(request: IndexRequest, ports: IndexBuildPorts): Promise<void> {
  const { definitionId, generation, indexName, jobIds, minimumShare } = request;
  const waiting = { definitionId, generation };
  const { jobs, missing } = await findInputs(jobIds, ports);
  const error = tooFewJobs(request, missing);
  if (error !== undefined) return ports.answers.send({ ...waiting, missing: idsOf(missing), error });
  const plan = planIndex(jobs, {
    includesText: request.includesText,
    divisionBytes,
    compressedDivisionBytes,
  });
  const stored: StoredPlan = { plan, jobIds, minimumShare, missing };
  const buildId = `${indexName}-${digest("index build", JSON.stringify(stored))}`;
  const files = ports.filesFor(buildId);
  await storePlan(stored, files);
  const build = await ports.builds.join(buildId, waiting, ports.clock.now());
  if (build.result === undefined) await ports.answers.send({ ...waiting, state: "building" });
  await proceed({ ...build, waiting: [waiting] }, stored, ports);
}

/** What can be read of the jobs. A job without a crawl log costs the others nothing. */
async function findInputs(
  jobIds: readonly number[],
  { filesOf }: IndexBuildPorts,
): Promise<{ jobs: JobInput[]; missing: MissingJob[] }> {
  const inputs = await inParallel(jobIds, jobsAtOnce, async (jobId) => ({
    jobId,
    input: inputOfJob(jobId, await filesOf(jobId)),
  }));
  return {
    jobs: inputs.flatMap(({ input }) => ("missing" in input ? [] : [input])),
    missing: inputs.flatMap(({ jobId, input }) =>
      "missing" in input ? [{ jobId: String(jobId), reason: input.missing }] : [],
    ),
  };
}

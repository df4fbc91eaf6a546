import { digest } from "../../../core/digest.ts";
import { inParallel } from "../../../core/in-parallel.ts";
import type { MissingJob } from "./build-steps.ts";
import type { IndexBuildPorts, IndexRequest } from "./index-build.ts";
import { type JobInput, planIndex } from "./index-plan.ts";
import { inputOfJob } from "./job-input.ts";
import { proceed } from "./proceed.ts";
import { idsOf, type StoredPlan, storePlan, tooFewJobs } from "./stored-plan.ts";

/** The size of a division that fits into the memory of a function. */
const divisionBytes = 128 * 1024 * 1024;

/**
 * The size of a division of a compressed file. A function can decompress the 8 GB before its range within its
 * timeout.
 */
const compressedDivisionBytes = 512 * 1024 * 1024;

const jobsAtOnce = 16;

/**
 * Begins the build of an index, or joins a build of the same files and settings. A repeated request, even
 * under a new generation, therefore continues the existing build. Sends the steps that can be done, and
 * returns `building`, or the result if there is one.
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

/** Finds the readable files of the jobs. A job without a crawl log does not affect the others. */
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

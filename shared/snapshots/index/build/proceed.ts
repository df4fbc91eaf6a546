import { inParallel } from "../../../core/in-parallel.ts";
import { endDivisions, endIndex } from "./build-steps.ts";
import type { BuildResult, IndexBuild, IndexBuildPorts, Waiting } from "./index-build.ts";
import { writeReport } from "./index-report.ts";
import { idsOf, type StoredPlan, stepsLeft, tooFewJobs } from "./stored-plan.ts";

const sendsAtOnce = 50;

/**
 * Continues a build. Sends the steps that can be done next or, after the last one, ends the build and reports
 * the result to all waiting callers. A repetition sends the same messages again and changes nothing.
 */
export async function proceed(build: IndexBuild, stored: StoredPlan, ports: IndexBuildPorts): Promise<void> {
  const { buildId, divided, built, result } = build;
  if (result !== undefined) return answerAll(build.waiting, result, ports);
  const { plan } = stored;
  if (divided.size === plan.divisions.length) {
    const files = ports.filesFor(buildId);
    const missing = [...stored.missing, ...(await endDivisions(plan, files)).missing];
    const error = tooFewJobs(stored, missing);
    if (error !== undefined) return end(buildId, { missing: idsOf(missing), error }, ports);
    if (built.size === plan.shards) {
      const { manifest, jobs } = await endIndex(plan, files);
      await writeReport({ jobs, missing }, files);
      const { entries, shards } = manifest;
      return end(buildId, { missing: idsOf(missing), index: { name: buildId, shards, entries } }, ports);
    }
  }
  await inParallel(stepsLeft(build, stored), sendsAtOnce, (part) => ports.parts.send(part));
}

/** Reports the result to callers that have joined so far. Callers that join later find it stored. */
async function end(buildId: string, result: BuildResult, ports: IndexBuildPorts): Promise<void> {
  const ended = await ports.builds.end(buildId, result);
  await answerAll(ended.waiting, ended.result ?? result, ports);
}

export async function answerAll(
  all: readonly Waiting[],
  result: BuildResult,
  { answers }: IndexBuildPorts,
): Promise<void> {
  for (const { definitionId, generation } of all) await answers.send({ definitionId, generation, ...result });
}

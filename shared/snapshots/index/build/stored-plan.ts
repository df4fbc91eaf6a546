import { parseJson } from "../../../core/parse-json.ts";
import type { BuildPorts } from "./build-ports.ts";
import type { MissingJob } from "./build-steps.ts";
import { stateAfter } from "./index-answer.ts";
import type { IndexBuild, IndexPart } from "./index-build.ts";
import type { IndexPlan } from "./index-plan.ts";

/** The stored plan of a build. It never changes, because a build of other files has another id. */
export interface StoredPlan {
  plan: IndexPlan;
  /** The ids of all requested jobs. */
  jobIds: number[];
  minimumShare: number;
  /** The jobs that were missing when the build was planned. */
  missing: MissingJob[];
}

const planName = "plan.json";

export function storePlan(stored: StoredPlan, { work }: BuildPorts): Promise<void> {
  return work.write(planName, [Buffer.from(JSON.stringify(stored))]);
}

/** Loads the plan. @returns undefined if the files of the build have expired */
export async function loadPlan({ work }: BuildPorts): Promise<StoredPlan | undefined> {
  const content = await work.read(planName);
  return content && (parseJson(content) as StoredPlan);
}

/** Returns the steps that can be done next: first divisions, then shards. */
export function stepsLeft({ buildId, divided, built }: IndexBuild, { plan }: StoredPlan): IndexPart[] {
  if (divided.size < plan.divisions.length) {
    const left = [...plan.divisions.keys()].filter((division) => !divided.has(division));
    return left.map((division) => ({ buildId, division }));
  }
  const shards = Array.from({ length: plan.shards }, (_, shard) => shard);
  return shards.filter((shard) => !built.has(shard)).map((shard) => ({ buildId, shard }));
}

/** Returns why an index of the remaining jobs would not be used; undefined if it would. */
export function tooFewJobs(
  { jobIds, minimumShare }: Pick<StoredPlan, "jobIds" | "minimumShare">,
  missing: readonly MissingJob[],
): string | undefined {
  if (stateAfter({ jobIds }, { missing: idsOf(missing) }, minimumShare) !== "failed") return undefined;
  const [first] = missing;
  const share = Math.round(100 * minimumShare);
  return `${missing.length} of ${jobIds.length} jobs are missing, and ${share} % must be there; job ${first?.jobId}: ${first?.reason}`;
}

export function idsOf(missing: readonly MissingJob[]): number[] {
  return missing.map(({ jobId }) => Number(jobId)).sort((a, b) => a - b);
}

import { InputError } from "../../../core/errors.ts";
import { doStep } from "./build-steps.ts";
import type { IndexBuildPorts, IndexPart } from "./index-build.ts";
import { answerAll, proceed } from "./proceed.ts";
import { idsOf, loadPlan } from "./stored-plan.ts";

/**
 * Runs one step of a build. The last step of its kind continues the build.
 * @throws InputError if the files of the build have expired
 */
export async function buildPart(part: IndexPart, ports: IndexBuildPorts): Promise<void> {
  const files = ports.filesFor(part.buildId);
  const stored = await loadPlan(files);
  if (stored === undefined) throw new InputError("buildId", part.buildId, "its plan is no longer stored");
  const { plan } = stored;
  await doStep(plan, part, files);
  const build = await ports.builds.note(part);
  const isLast =
    "division" in part ? build.divided.size === plan.divisions.length : build.built.size === plan.shards;
  if (isLast) await proceed(build, stored, ports);
}

/**
 * Reports to all waiting callers that a step has failed. The build may be continued later, for example by a
 * request of a new generation.
 */
export async function failPart(
  { buildId }: IndexPart,
  reason: string,
  ports: IndexBuildPorts,
): Promise<void> {
  const build = await ports.builds.get(buildId);
  if (build === undefined || build.result !== undefined) return;
  const stored = await loadPlan(ports.filesFor(buildId));
  await answerAll(build.waiting, { missing: idsOf(stored?.missing ?? []), error: reason }, ports);
}

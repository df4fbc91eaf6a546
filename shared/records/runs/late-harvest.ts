import { acceptsOutcomes, type Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import { sourcesTallyName } from "./tally-names.ts";

/**
 * Returns the id of the late harvest of a run. After its soft deadline, a run delivers the articles that are finished,
 * and its late sources continue to be read until its deadline. The articles that are found then belong to a late
 * harvest, which joins the next delivery of the mode in the same way as a long harvest. The tallies, claims and
 * listings remain those of the run.
 */
export function lateHarvestIdOf(runId: string): string {
  return `late-${runId}`;
}

/** Returns whether a harvest is the late harvest of the run that `harvestOf` names. */
export function isLateHarvest(harvest: Run): harvest is Run & { harvestOf: string } {
  const { runId, harvestOf } = harvest;
  return harvestOf !== undefined && runId === lateHarvestIdOf(harvestOf);
}

/**
 * Starts the late harvest of a run, so that the readers of its late sources store their results for the next delivery.
 * Repeatable.
 */
export async function startLateHarvest(
  { runId, deliveryMode, startedAt, deadlineAt }: Run,
  runs: Pick<RunStore, "create">,
): Promise<void> {
  await runs.create({
    runId: lateHarvestIdOf(runId),
    harvestOf: runId,
    deliveryMode,
    state: "harvesting",
    startedAt,
    deadlineAt,
  });
}

/** Ends a run's late harvest when all of its sources have been read, or when its deadline has passed. */
export async function endLateHarvest(
  { runId, softDeadlineAt, deadlineAt }: Run,
  now: Date,
  runs: Pick<RunStore, "openIds" | "changeState">,
): Promise<void> {
  if (softDeadlineAt === undefined) return;
  const isOver = Date.parse(deadlineAt) <= now.getTime();
  if (!isOver && (await runs.openIds(runId, sourcesTallyName)).length > 0) return;
  await runs.changeState(lateHarvestIdOf(runId), ["harvesting"], { state: "delivering" });
}

/** Returns whether a run is delivered while some of its sources are still being read. */
export async function hasLateHarvest(
  { runId, softDeadlineAt }: Run,
  runs: Pick<RunStore, "get">,
): Promise<boolean> {
  return softDeadlineAt !== undefined && (await runs.get(lateHarvestIdOf(runId))) !== undefined;
}

/**
 * Returns a run whose readers may still store results, with the id of the run or late harvest that receives them.
 * @returns undefined when it is too late
 */
export async function findReceivingRun(
  runId: string,
  runs: Pick<RunStore, "get">,
): Promise<{ run: Run; receivedBy: string } | undefined> {
  const run = await runs.get(runId);
  if (run === undefined) return undefined;
  const { softDeadlineAt } = run;
  if (acceptsOutcomes(run)) return { run, receivedBy: runId };
  if (softDeadlineAt === undefined) return undefined;
  const receivedBy = lateHarvestIdOf(runId);
  return acceptsOutcomes(await runs.get(receivedBy)) ? { run, receivedBy } : undefined;
}

/**
 * Stores outcomes with the current receiver. While an outcome is being converted or stored, the delivery may begin and
 * list the outcomes of the run. Therefore the receiver is determined again after the save. If it has changed, the
 * outcomes are also stored with the new receiver. An article that both deliveries list is claimed by one of them.
 * @param receivedBy the receiver when the response arrived
 */
export async function saveToReceiver(
  { runId, receivedBy }: { runId: string; receivedBy: string },
  save: (receivedBy: string) => Promise<unknown>,
  runs: Pick<RunStore, "get">,
): Promise<void> {
  await save(receivedBy);
  const current = await findReceivingRun(runId, runs);
  if (current !== undefined && current.receivedBy !== receivedBy) await save(current.receivedBy);
}

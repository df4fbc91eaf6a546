import { acceptsOutcomes, type Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";
import { sourcesTallyName } from "./tally-names.ts";

/**
 * After its soft deadline, a run delivers what is finished. Sources that are late are read on until its deadline: what their
 * readers find belongs to a late harvest, and joins the next delivery of the mode as the pages of long harvests do. The
 * tallies, claims and listings stay those of the run.
 */
export function lateHarvestIdOf(runId: string): string {
  return `late-${runId}`;
}

/** Whether a long harvest is the late one of the run that `harvestOf` names. */
export function isLateHarvest(harvest: Run): harvest is Run & { harvestOf: string } {
  const { runId, harvestOf } = harvest;
  return harvestOf !== undefined && runId === lateHarvestIdOf(harvestOf);
}

/** Has the readers of a run's late sources store what they find for the next delivery. Repeatable. */
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

/** Ends a run's late harvest when all of its sources have been read, or its deadline is past. */
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

/** Whether a run is delivered while sources of it are still being read. */
export async function hasLateHarvest(
  { runId, softDeadlineAt }: Run,
  runs: Pick<RunStore, "get">,
): Promise<boolean> {
  return softDeadlineAt !== undefined && (await runs.get(lateHarvestIdOf(runId))) !== undefined;
}

/**
 * A run whose readers may store what they find, and the run or late harvest that takes it; undefined when it is too late.
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
 * Stores outcomes where the run's readers may store them. The delivery may begin, and list the outcomes of the run, while
 * one is being converted or stored. So the receiver is determined again after the save: if it has changed, the outcomes are
 * stored there too. An article that both deliveries list is claimed by one of them.
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

import type { Clock } from "../../core/clock.ts";
import { hasLateHarvest, startLateHarvest } from "../../runs/late-harvest.ts";
import { longHarvestsToJoin } from "../../runs/long-harvest.ts";
import { acceptsOutcomes, type DocumentOutcome, type Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { sourcesTallyName } from "../../runs/tally-names.ts";

interface BeginDeliveryPorts {
  runs: RunStore;
  clock: Pick<Clock, "now">;
}

/**
 * Whether the delivery of a run begins. Before its deadline, while sources are late: only if something is finished; then what
 * they bring later goes to the next delivery.
 */
export async function isToDeliver(run: Run, ports: BeginDeliveryPorts): Promise<boolean> {
  const { runs, clock } = ports;
  const { runId, state, softDeadlineAt, deadlineAt } = run;
  const isSoft = softDeadlineAt !== undefined && clock.now().getTime() < Date.parse(deadlineAt);
  if (!isSoft || !acceptsOutcomes(run)) return true;
  if ((await runs.openIds(runId, sourcesTallyName)).length === 0) return true;
  // Its start has not been completed: sources may not have been asked yet.
  if (state === "starting" || !(await hasConverted(run, ports))) return false;
  await startLateHarvest(run, runs);
  return true;
}

/** Whether a run, or a long harvest that joins it, has an article to deliver. */
async function hasConverted(run: Run, { runs, clock }: BeginDeliveryPorts): Promise<boolean> {
  const isConverted = ({ state }: DocumentOutcome) => state === "converted";
  for await (const page of runs.outcomeBatches(run.runId)) if (page.some(isConverted)) return true;
  for (const { runId } of await longHarvestsToJoin(run, { runs, clock }))
    for await (const { outcomes } of runs.undeliveredBatches(runId))
      if (outcomes.some(isConverted)) return true;
  return false;
}

/** The ids of the sources that are read on while the run is delivered, sorted; undefined when there are none. */
export async function lateSources(run: Run, runs: RunStore): Promise<string[] | undefined> {
  if (!(await hasLateHarvest(run, runs))) return undefined;
  const late = await runs.openIds(run.runId, sourcesTallyName);
  return late.length === 0 ? undefined : late.toSorted();
}

import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { lateHarvestIdOf } from "../../runs/late-harvest.ts";
import { longHarvestsToJoin } from "../../runs/long-harvest.ts";
import { PartWriter, readParts } from "../../runs/parts.ts";
import type { DocumentOutcome, Run } from "../../runs/run.ts";
import type { HarvestBatch, RunStore } from "../../runs/run-store.ts";
import type { ValidateResult } from "./validate-result.ts";

interface JoinPorts {
  runs: RunStore;
  clock: Pick<Clock, "now">;
}

/** Pages marked at once. */
const maxParallelBatches = 16;

/**
 * Reads what long harvests have found since the last delivery of the mode.
 * @param readPage gets the outcomes of one page
 */
export async function readLongHarvests(
  run: Run,
  { runs, clock }: JoinPorts,
  readPage: (outcomes: DocumentOutcome[]) => Promise<void>,
): Promise<Pick<ValidateResult, "joined" | "completedHarvests">> {
  const joined = new PartWriter<HarvestBatch>(run.runId, runs);
  const own = lateHarvestIdOf(run.runId);
  const unfinished = await longHarvestsToJoin(run, { runs, clock });
  const harvests = unfinished.filter(({ runId }) => runId !== own);
  for (const { runId } of harvests) {
    for await (const { outcomes, ...page } of runs.undeliveredBatches(runId)) {
      await readPage(outcomes);
      await joined.add([page]);
    }
  }
  // By the state before its pages were read: a harvest that ends meanwhile has its last pages taken by the next run.
  const completed = harvests.filter(({ state }) => state === "delivering");
  return { joined: await joined.finish(), completedHarvests: completed.map(({ runId }) => runId) };
}

/**
 * Keeps the pages of long harvests that have joined this run from the next one. A page that two runs took at the same time is
 * delivered once: the archive admits its records to one of them.
 */
export async function takeJoinedBatches(
  { runId }: Pick<Run, "runId">,
  { joined, completedHarvests }: Pick<ValidateResult, "joined" | "completedHarvests">,
  { runs, clock }: JoinPorts,
): Promise<void> {
  for await (const part of readParts<HarvestBatch>(joined, runs)) {
    await inParallel(part, maxParallelBatches, (page) => runs.markBatchDelivered(page, runId));
  }
  const finishedAt = clock.now().toISOString();
  for (const harvestId of completedHarvests) {
    await runs.changeState(harvestId, ["delivering"], { state: "finished", finishedAt });
  }
}

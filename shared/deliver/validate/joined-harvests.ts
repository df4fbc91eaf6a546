import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { isLateHarvest, lateHarvestIdOf } from "../../records/runs/late-harvest.ts";
import { longHarvestsToJoin } from "../../records/runs/long-harvest.ts";
import { PartWriter, readParts } from "../../records/runs/parts.ts";
import type { DocumentOutcome, Run } from "../../records/runs/run.ts";
import type { HarvestBatch, RunStore } from "../../records/runs/run-store.ts";
import type { ValidateResult } from "../stage-results/validate-result.ts";

interface JoinPorts {
  runs: RunStore;
  clock: Pick<Clock, "now">;
}

export interface HarvestLimit {
  maxArticlesOfHarvest?: number;
}

/** Pages marked at once. */
const maxParallelBatches = 16;

export type JoinedHarvests = Pick<ValidateResult, "joined" | "completedHarvests" | "continuedSources">;

/**
 * Reads what long harvests have found since the last delivery of the mode, up to the share of a source; the rest joins the next
 * deliveries.
 * @param ports.maxArticlesOfHarvest articles of one source, read to the end of a page; absent: no limit
 * @param readPage gets the outcomes of one page
 */
export async function readLongHarvests(
  run: Run,
  { runs, clock, maxArticlesOfHarvest = Number.POSITIVE_INFINITY }: JoinPorts & HarvestLimit,
  readPage: (outcomes: DocumentOutcome[]) => Promise<void>,
): Promise<JoinedHarvests> {
  const joined = new PartWriter<HarvestBatch>(run.runId, runs);
  const completedHarvests: string[] = [];
  const counts = new Map<string, number>();
  const continued = new Set<string>();
  const own = lateHarvestIdOf(run.runId);
  // By the state before its pages are read: a harvest that ends meanwhile has its last pages taken by the next run.
  for (const harvest of await longHarvestsToJoin(run, { runs, clock })) {
    const { runId, state, harvestOf = runId } = harvest;
    if (runId === own) continue;
    // A late harvest is of all sources that were late.
    const limit = isLateHarvest(harvest) ? Number.POSITIVE_INFINITY : maxArticlesOfHarvest;
    for await (const { outcomes, ...page } of runs.undeliveredBatches(runId)) {
      const count = counts.get(harvestOf) ?? 0;
      if (count >= limit) {
        continued.add(harvestOf);
        break;
      }
      await readPage(outcomes);
      await joined.add([page]);
      counts.set(harvestOf, count + outcomes.length);
    }
    if (state === "delivering" && !continued.has(harvestOf)) completedHarvests.push(runId);
  }
  return { joined: await joined.finish(), completedHarvests, continuedSources: [...continued] };
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

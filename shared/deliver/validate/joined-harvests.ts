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

/** The number of pages that are marked at the same time. */
const maxParallelBatches = 16;

export type JoinedHarvests = Pick<ValidateResult, "joined" | "completedHarvests" | "continuedSources">;

/**
 * Reads the results of long harvests since the last delivery of the mode, up to the share of a source. The remaining
 * results join the next deliveries.
 * @param ports.maxArticlesOfHarvest the maximum number of articles of one source, rounded up to whole pages; if absent,
 * there is no limit
 * @param readPage receives the outcomes of one page
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
  // The state before the pages are read decides. If a harvest ends meanwhile, the next run takes its last pages.
  for (const harvest of await longHarvestsToJoin(run, { runs, clock })) {
    const { runId, state, harvestOf = runId } = harvest;
    if (runId === own) continue;
    // A late harvest contains all sources that were late, so the limit of a single source does not apply.
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
 * Marks the pages of long harvests that have joined this run, so that the next run does not take them. If two runs took
 * a page at the same time, the page is delivered once, because the archive admits each of its records to only one run.
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

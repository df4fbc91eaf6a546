import type { Clock } from "../../core/clock.ts";
import { reconcileTallies } from "../../records/runs/reconcile.ts";
import type { Run, RunMode } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import { type Stage, type StageQueue, stages } from "../../records/runs/stages.ts";

interface ResumePorts {
  runs: RunStore;
  stageQueues: Record<Stage, StageQueue>;
  clock: Clock;
}

/** Continues a run that failed at a stage, when that stage is requested again. */
export async function resumeRun(
  { runId, stage }: { runId: string; stage: Stage },
  { runs }: Pick<ResumePorts, "runs">,
): Promise<void> {
  const run = await runs.get(runId);
  if (run?.failure?.stage === stage) await runs.changeState(runId, ["failed"], { state: "delivering" });
}

/**
 * Requests the next stage of each unfinished run of the mode that has failed, or whose deadline is past and whose
 * message may be lost. A second request for a stage that is at work or done has no effect. A run that is still harvesting
 * has its tallies reconciled, and is delivered when everything is there.
 */
export async function resumeRuns(mode: RunMode, { runs, stageQueues, clock }: ResumePorts): Promise<void> {
  for (const { runId } of await runs.listUnfinished(mode)) {
    // The list may lag behind.
    const run = await runs.get(runId);
    if (run === undefined || run.state === "finished") continue;
    const isOverdue = Date.parse(run.softDeadlineAt ?? run.deadlineAt) <= clock.now().getTime();
    if (run.state === "harvesting" && !isOverdue)
      await reconcileTallies(runId, { runs, delivery: stageQueues.validate });
    if (run.state !== "failed" && !isOverdue) continue;
    const stage = await nextStage(run, runs);
    await stageQueues[stage].send({ runId });
    // Shows that the run is in progress again.
    await runs.changeState(runId, ["failed"], { state: "delivering" });
  }
}

/** The next stage of a run: the first that is not done. A preview has one stage. */
async function nextStage({ runId, deliveryMode }: Run, runs: RunStore): Promise<Stage> {
  if (deliveryMode === "NONE") return "validate";
  // The writes of the validation follow its result.
  if ((await runs.stageResult(runId, "settled")) === undefined) return "validate";
  for (const stage of stages) if ((await runs.stageResult(runId, stage)) === undefined) return stage;
  return "report";
}

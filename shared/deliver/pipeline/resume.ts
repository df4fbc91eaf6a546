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

/** Resumes a run that failed at a stage, when that stage is requested again. */
export async function resumeRun(
  { runId, stage }: { runId: string; stage: Stage },
  { runs }: Pick<ResumePorts, "runs">,
): Promise<void> {
  const run = await runs.get(runId);
  if (run?.failure?.stage === stage) await runs.changeState(runId, ["failed"], { state: "delivering" });
}

/**
 * Requests the next stage of each unfinished run of the mode that has failed, or that is past its deadline and whose
 * message may be lost. A second request for a stage that is in progress or done has no effect. If a run is still
 * harvesting, its tallies are reconciled; the run is delivered when all outcomes are stored.
 */
export async function resumeRuns(mode: RunMode, { runs, stageQueues, clock }: ResumePorts): Promise<void> {
  for (const { runId } of await runs.listUnfinished(mode)) {
    // The list may be out of date.
    const run = await runs.get(runId);
    if (run === undefined || run.state === "finished") continue;
    const isOverdue = Date.parse(run.softDeadlineAt ?? run.deadlineAt) <= clock.now().getTime();
    if (run.state === "harvesting" && !isOverdue)
      await reconcileTallies(runId, { runs, delivery: stageQueues.validate });
    if (run.state !== "failed" && !isOverdue) continue;
    const stage = await nextStage(run, runs);
    await stageQueues[stage].send({ runId });
    // This shows that the run is in progress again.
    await runs.changeState(runId, ["failed"], { state: "delivering" });
  }
}

/** Returns the next stage of a run, which is the first stage that is not done. A preview has only one stage. */
async function nextStage({ runId, deliveryMode }: Run, runs: RunStore): Promise<Stage> {
  if (deliveryMode === "NONE") return "validate";
  // The writes of the validation follow after its result.
  if ((await runs.stageResult(runId, "settled")) === undefined) return "validate";
  for (const stage of stages) if ((await runs.stageResult(runId, stage)) === undefined) return stage;
  return "report";
}

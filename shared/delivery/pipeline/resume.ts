import type { Clock } from "../../core/clock.ts";
import type { Run, RunMode } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Stage, type StageQueue, stages } from "../../runs/stages.ts";

interface ResumePorts {
  runs: RunStore;
  stageQueues: Record<Stage, StageQueue>;
  clock: Clock;
}

/** Lets a run that stopped at a stage go on there, when that stage is asked for again. */
export async function resumeRun(
  { runId, stage }: { runId: string; stage: Stage },
  { runs }: Pick<ResumePorts, "runs">,
): Promise<void> {
  const run = await runs.get(runId);
  if (run?.failure?.stage === stage) await runs.changeState(runId, ["failed"], { state: "delivering" });
}

/**
 * Asks again for the stage at which each earlier run of the mode stopped: one that failed, and one whose message got lost
 * with its deadline past. A stage that is still at work, or done, takes no harm from being asked for twice.
 */
export async function resumeRuns(mode: RunMode, { runs, stageQueues, clock }: ResumePorts): Promise<void> {
  for (const { runId } of await runs.listUnfinished(mode)) {
    // The list may be a little behind.
    const run = await runs.get(runId);
    if (run === undefined || run.state === "finished") continue;
    const isOverdue = Date.parse(run.deadlineAt) <= clock.now().getTime();
    if (run.state !== "failed" && !isOverdue) continue;
    const stage = await nextStage(run, runs);
    await stageQueues[stage].send({ runId });
    // For those who watch: it is under way again.
    await runs.changeState(runId, ["failed"], { state: "delivering" });
  }
}

/** The stage that a run waits for: the first without a result. A preview has but one. */
async function nextStage({ runId, deliveryMode }: Run, runs: RunStore): Promise<Stage> {
  if (deliveryMode === "NONE") return "validate";
  for (const stage of stages) if ((await runs.stageResult(runId, stage)) === undefined) return stage;
  return "report";
}

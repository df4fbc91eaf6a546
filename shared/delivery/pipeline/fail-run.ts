import type { Clock } from "../../core/clock.ts";
import { textWithoutCredentials } from "../../core/url-credentials.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Stage, StageQueue } from "../../runs/stages.ts";

export interface FailRunPorts {
  runs: RunStore;
  reports: StageQueue;
  clock: Pick<Clock, "now">;
}

/** Stops the pipeline of a run at a stage and has the reason mailed. A stage asked for again goes on from there. */
export async function failRun(
  { runId, stage, reason }: { runId: string; stage: Stage; reason: string },
  { runs, reports, clock }: FailRunPorts,
): Promise<void> {
  // It is mailed and shown, and may quote any URL.
  const safeReason = textWithoutCredentials(reason);
  const failure = { stage, reason: safeReason, at: clock.now().toISOString() };
  await runs.changeState(runId, ["starting", "harvesting", "delivering"], { state: "failed", failure });
  if (stage !== "report") await reports.send({ runId, failure });
}

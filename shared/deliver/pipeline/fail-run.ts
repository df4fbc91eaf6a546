import { budgets } from "../../core/budgets.ts";
import type { Clock } from "../../core/clock.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import { textWithoutCredentials } from "../../core/url-credentials.ts";
import { buildRunId, type RunStart } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { Stage, StageQueue } from "../../records/runs/stages.ts";

export interface FailRunPorts {
  runs: RunStore;
  reports: StageQueue;
  clock: Pick<Clock, "now">;
}

/**
 * Marks a run as failed at a stage, and requests the mail with the reason. If the stage is requested again, the run
 * resumes.
 * @param failed.isPart whether only one part of the stage has failed; other parts may fail for the same reason, and one
 * mail is enough
 */
export async function failRun(
  {
    runId,
    stage,
    reason,
    isPart = false,
  }: { runId: string; stage: Stage | "start"; reason: string; isPart?: boolean },
  { runs, reports, clock }: FailRunPorts,
): Promise<void> {
  // The reason is mailed and shown, and may quote any URL.
  const safeReason = textWithoutCredentials(reason);
  const failure = {
    stage,
    reason: truncateToBytes(safeReason, budgets.reasonBytes),
    at: clock.now().toISOString(),
  };
  const isFirst = await runs.changeState(runId, ["starting", "harvesting", "delivering"], {
    state: "failed",
    failure,
  });
  if (stage !== "report" && (isFirst || !isPart)) await reports.send({ runId, failure });
}

/** Marks a run as failed whose start always fails. The next start of its mode delivers the results of the run. */
export async function failStart(start: RunStart, reason: string, ports: FailRunPorts): Promise<void> {
  const runId = buildRunId(start);
  if ((await ports.runs.get(runId)) === undefined) return;
  await failRun({ runId, stage: "start", reason }, ports);
}

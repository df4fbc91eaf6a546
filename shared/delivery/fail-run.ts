import type { RunStore, StageQueue } from "../ports.ts";
import type { Stage } from "./stages.ts";

export interface FailRunPorts {
  runs: RunStore;
  reports: StageQueue;
}

/** Stops the pipeline of a run at a stage and has the reason mailed. A stage asked for again goes on from there. */
export async function failRun(
  { runId, stage, reason }: { runId: string; stage: Stage; reason: string },
  { runs, reports }: FailRunPorts,
): Promise<void> {
  await runs.move(runId, ["starting", "harvesting", "delivering"], {
    state: "failed",
    failure: { stage, reason },
  });
  if (stage !== "report") await reports.send({ runId });
}

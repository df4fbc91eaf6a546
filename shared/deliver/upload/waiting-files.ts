import { deliveredModes, type Run, type RunFailure } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { PlannedFile } from "../stage-results/delivery.ts";
import { uploadedFiles } from "./uploaded-files.ts";

/** A file that its receiver does not have yet. */
export interface WaitingFile extends PlannedFile {
  run: Pick<Run, "runId" | "deliveryMode" | "startedAt">;
  /**
   * The reason why the delivery stopped; absent while it is in progress. The next start of the run's mode resumes it.
   */
  failure?: RunFailure;
}

/** Returns the files of all runs that wait for their receivers. Files of the earliest run come first. */
export async function waitingFiles(
  runs: Pick<RunStore, "listUnfinished" | "stageResult">,
): Promise<WaitingFile[]> {
  const unfinished = await Promise.all(deliveredModes.map((mode) => runs.listUnfinished(mode)));
  const files = await Promise.all(
    unfinished.flat().map(async ({ runId, deliveryMode, startedAt, failure }) => {
      const { waiting } = await uploadedFiles(runId, runs);
      const run = { runId, deliveryMode, startedAt };
      return waiting.map((file) => ({ ...file, run, ...(failure && { failure }) }));
    }),
  );
  return files.flat().sort((a, b) => (a.run.startedAt < b.run.startedAt ? -1 : 1));
}

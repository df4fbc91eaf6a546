import { deliveredModes, type Run, type RunFailure } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { PlannedFile } from "../stage-results/delivery.ts";
import { uploadedFiles } from "./uploaded-files.ts";

/** A file that its receiver does not have yet. */
export interface WaitingFile extends PlannedFile {
  run: Pick<Run, "runId" | "deliveryMode" | "startedAt">;
  /** Why the delivery stopped; absent while it is in progress. The next start of the run's mode continues there. */
  failure?: RunFailure;
}

/** The files of all runs that wait for their receivers, those of the earliest run first. */
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

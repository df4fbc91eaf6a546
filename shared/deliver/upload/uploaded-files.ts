import type { RunStore } from "../../records/runs/run-store.ts";
import type { Checkpoint } from "../../records/runs/stages.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type { PlannedFile, UploadedFile } from "../stage-results/delivery.ts";
import type { UploadResult } from "./upload-result.ts";

/** Returns the checkpoint of an uploaded file. */
export function fileCheckpoint({ fileName }: Pick<UploadedFile, "fileName">): Checkpoint {
  return `file-${fileName}`;
}

/**
 * Returns the uploaded files of a run, in the order of the plan, and whether all files are uploaded. `waiting` contains
 * the files of valid records that their receivers do not have yet.
 */
export async function uploadedFiles(
  runId: string,
  runs: Pick<RunStore, "stageResult">,
): Promise<{ files: UploadedFile[]; isComplete: boolean; waiting: PlannedFile[] }> {
  const uploaded = await runs.stageResult<UploadResult>(runId, "upload");
  if (uploaded !== undefined) return { files: uploaded.files, isComplete: true, waiting: [] };
  const plan = await runs.stageResult<DeliveryPlan>(runId, "plan");
  const files: UploadedFile[] = [];
  const waiting: PlannedFile[] = [];
  for (const planned of plan?.files ?? []) {
    const file = await runs.stageResult<UploadedFile>(runId, fileCheckpoint(planned));
    if (file !== undefined) files.push(file);
    else if (planned.kind === "valid") waiting.push(planned);
  }
  return { files, isComplete: false, waiting };
}

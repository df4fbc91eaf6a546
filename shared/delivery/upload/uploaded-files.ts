import type { RunStore } from "../../runs/run-store.ts";
import type { Checkpoint } from "../../runs/stages.ts";
import type { UploadedFile } from "../plan/delivery.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type { UploadResult } from "./upload-result.ts";

/** The checkpoint of an uploaded file. */
export function fileCheckpoint({ fileName }: Pick<UploadedFile, "fileName">): Checkpoint {
  return `file-${fileName}`;
}

/** The uploaded files of a run, in the order of the plan, and whether these are all. */
export async function uploadedFiles(
  runId: string,
  runs: Pick<RunStore, "stageResult">,
): Promise<{ files: UploadedFile[]; isComplete: boolean }> {
  const uploaded = await runs.stageResult<UploadResult>(runId, "upload");
  if (uploaded !== undefined) return { files: uploaded.files, isComplete: true };
  const plan = await runs.stageResult<DeliveryPlan>(runId, "plan");
  const files: UploadedFile[] = [];
  for (const planned of plan?.files ?? []) {
    const file = await runs.stageResult<UploadedFile>(runId, fileCheckpoint(planned));
    if (file !== undefined) files.push(file);
  }
  return { files, isComplete: false };
}

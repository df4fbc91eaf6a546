import type { ArchiveStore, RecordStore, RunStore, SourceStatusStore, StageQueue } from "../ports.ts";
import type { StageRequest } from "./stages.ts";
import { claimant, type UploadResult } from "./upload.ts";

export interface ArchivePorts {
  runs: RunStore;
  records: RecordStore;
  archive: ArchiveStore;
  status: SourceStatusStore;
  next: StageQueue;
}

export interface ArchiveResult {
  archived: number;
}

/** Notes what was delivered: in the archive, on the record, and as the source's last delivery. */
export async function archiveRun({ runId }: StageRequest, ports: ArchivePorts): Promise<void> {
  const done = await ports.runs.stageResult<ArchiveResult>(runId, "archive");
  if (done === undefined) await ports.runs.finishStage(runId, "archive", await archive(runId, ports));
  await ports.next.send({ runId });
}

async function archive(runId: string, ports: ArchivePorts): Promise<ArchiveResult> {
  const uploaded = await ports.runs.stageResult<UploadResult>(runId, "upload");
  if (uploaded === undefined) throw new Error(`run ${runId} is not uploaded`);
  let archived = 0;
  const lastDelivered = new Map<string, string>();
  for (const { delivery, documents } of uploaded.files) {
    const { fileName: file, deliveredAt } = delivery;
    for (const { recordId, sourceId, title = "", archiveKeys } of documents) {
      const entry = { owner: claimant(runId, recordId), recordId, sourceId, title, file, deliveredAt };
      for (const key of archiveKeys) await ports.archive.delivered(key, entry);
      await ports.records.setState(recordId, "delivered", { deliveryFile: file });
      lastDelivered.set(sourceId, deliveredAt);
      archived += 1;
    }
  }
  for (const [sourceId, at] of lastDelivered) await ports.status.delivered(sourceId, at);
  return { archived };
}

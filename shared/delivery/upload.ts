import type { Clock } from "../core/clock.ts";
import { inParallel } from "../core/in-parallel.ts";
import type { ConvertedDocument, Run } from "../harvest/run.ts";
import type { Events, RecordStore, RunStore, Sftp, StageQueue } from "../ports.ts";
import { documentsAtOnce, giveBack } from "./claim.ts";
import { errorLog, marcXml } from "./contents.ts";
import type { Delivery, PlannedFile, UploadedFile } from "./delivery.ts";
import { type Parts, readParts } from "./parts.ts";
import { type DeliveryPlan, type PlanPorts, planFiles } from "./plan.ts";
import { sendBySftp } from "./send-by-sftp.ts";
import type { StageRequest } from "./stages.ts";
import type { ValidateResult } from "./validate.ts";

export interface UploadPorts extends PlanPorts {
  runs: RunStore;
  records: RecordStore;
  sftp: Sftp;
  events: Events;
  next: StageQueue;
  clock: Clock;
}

export interface UploadResult {
  files: UploadedFile[];
  duplicates: Parts;
}

/** Puts each valid record that no other run has claimed into a file of its group, and delivers it. */
export async function uploadRun({ runId }: StageRequest, ports: UploadPorts): Promise<void> {
  const done = await ports.runs.stageResult<UploadResult>(runId, "upload");
  if (done === undefined) await ports.runs.finishStage(runId, "upload", await upload(runId, ports));
  await ports.next.send({ runId });
}

async function upload(runId: string, ports: UploadPorts): Promise<UploadResult> {
  const run = await ports.runs.get(runId);
  const validated = await ports.runs.stageResult<ValidateResult>(runId, "validate");
  if (run === undefined || validated === undefined) throw new Error(`run ${runId} is not validated`);
  const plan =
    (await ports.runs.stageResult<DeliveryPlan>(runId, "plan")) ??
    (await ports.runs.finishStage(runId, "plan", await planFiles(run, validated, ports)));

  const files: UploadedFile[] = [];
  for (const file of plan.files) files.push(await uploadFile(run, file, ports));
  for await (const part of readParts<ConvertedDocument>(plan.duplicates, ports.runs)) {
    await giveBack(part, run, ports.archive);
    await inParallel(part, documentsAtOnce, ({ recordId }) =>
      ports.records.setState({ recordId, deliveryMode: run.deliveryMode }, "duplicate"),
    );
  }
  return { files, duplicates: plan.duplicates };
}

async function uploadFile(run: Run, file: PlannedFile, ports: UploadPorts): Promise<UploadedFile> {
  const { groupId, fileName, key } = file;
  const sizeBytes = await ports.deliveries.write(key, marcXml(file, ports), "application/marcxml+xml");
  if (file.kind === "delinquent") {
    await ports.deliveries.write(`${key}.log`, errorLog(file, ports), "text/plain; charset=utf-8");
  }
  if (file.kind !== "valid") return { ...file, deliveredAt: ports.clock.now().toISOString() };

  const destination = (await ports.sources.group(groupId))?.destination;
  if (destination?.type === "SFTP") await sendBySftp(run, file, destination, ports);
  const delivery: Delivery = await ports.deliveries.save({
    groupId,
    fileName,
    key,
    runId: run.runId,
    runStartedAt: run.startedAt,
    deliveryMode: run.deliveryMode,
    records: file.documents.count,
    sizeBytes,
    deliveredAt: ports.clock.now().toISOString(),
  });
  await ports.events.publish({
    type: "delivery.new",
    changeId: `${run.runId}/${fileName}`,
    detail: { ...delivery },
  });
  return { ...file, deliveredAt: delivery.deliveredAt };
}

import type { Clock } from "../../core/clock.ts";
import type { Run } from "../../harvest/run.ts";
import type { DeliveryStore, Events, RecordStore, RunStore, Sftp, UnusableGroup } from "../../ports.ts";
import type { Group } from "../../sources/group.ts";
import type { Delivery, PlannedFile, UploadedFile } from "../plan/delivery.ts";
import { errorLog, marcXml } from "./contents.ts";
import { sendBySftp } from "./send-by-sftp.ts";

export interface UploadFilePorts {
  runs: RunStore;
  records: RecordStore;
  deliveries: DeliveryStore;
  sftp: Sftp;
  events: Events;
  clock: Clock;
}

export type FileOutcome =
  | { type: "uploaded"; file: UploadedFile }
  /** It is in the bucket, and its receiver has not got it. */
  | { type: "undelivered"; reason: string };

/** Writes a file into the bucket of deliveries and, when it holds valid records, delivers it to its group. */
export async function uploadFile(
  run: Run,
  file: PlannedFile,
  group: Group | UnusableGroup | undefined,
  ports: UploadFilePorts,
): Promise<FileOutcome> {
  const { groupId, key, kind } = file;
  const sizeBytes = await ports.deliveries.write(key, marcXml(file, ports), "application/marcxml+xml");
  if (kind === "delinquent") {
    await ports.deliveries.write(`${key}.log`, errorLog(file, ports), "text/plain; charset=utf-8");
  }
  const deliveredAt = () => ports.clock.now().toISOString();
  if (kind !== "valid") return { type: "uploaded", file: { ...file, deliveredAt: deliveredAt() } };
  if (group !== undefined && "problem" in group) {
    return { type: "undelivered", reason: `group ${groupId}: ${group.problem}` };
  }
  if (group?.destination?.type === "SFTP") {
    const sent = await sendBySftp(run, { ...file, sizeBytes }, group.destination, ports);
    if (sent.type === "failed") return { type: "undelivered", reason: sent.reason };
  }
  const delivery = await tellDelivery(run, file, { sizeBytes, deliveredAt: deliveredAt() }, ports);
  return { type: "uploaded", file: { ...file, deliveredAt: delivery.deliveredAt } };
}

/** Lists a file among the deliveries, and tells of it on the bus. */
async function tellDelivery(
  { runId, startedAt: runStartedAt, deliveryMode }: Run,
  { groupId, fileName, key, documents }: PlannedFile,
  written: Pick<Delivery, "sizeBytes" | "deliveredAt">,
  { deliveries, events }: UploadFilePorts,
): Promise<Delivery> {
  const records = documents.count;
  const named = { groupId, fileName, key, runId, runStartedAt, deliveryMode, records };
  const delivery = await deliveries.save({ ...named, ...written });
  await events.publish({
    type: "delivery.new",
    changeId: `${runId}/${fileName}`,
    detail: { ...delivery },
  });
  return delivery;
}

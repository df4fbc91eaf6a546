import type { Clock } from "../../core/clock.ts";
import type { Run } from "../../harvest/run.ts";
import type { DeliveryStore, Events, RecordStore, RunStore, Sftp, UnusableGroup } from "../../ports.ts";
import type { Group } from "../../sources/group.ts";
import type { Delivery, PlannedFile, UploadedFile } from "../plan/delivery.ts";
import { errorLog, marcXml } from "./contents.ts";
import { type Sent, sendBySftp } from "./send-by-sftp.ts";
import { leavePlace } from "./sending.ts";

export interface UploadFilePorts {
  runs: Pick<RunStore, "part">;
  records: Pick<RecordStore, "marc">;
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
  const sent = await send(run, { ...file, sizeBytes }, group?.destination, ports);
  if (sent.type === "failed") return { type: "undelivered", reason: sent.reason };
  const delivery = await tellDelivery(run, file, { sizeBytes, deliveredAt: deliveredAt() }, ports);
  const { remarks } = sent;
  const { deliveredAt: at } = delivery;
  return { type: "uploaded", file: { ...file, deliveredAt: at, ...(remarks.length > 0 && { remarks }) } };
}

/** Sends a file to where its group takes it; one that takes it from the bucket may have left a receiver meanwhile. */
async function send(
  run: Run,
  file: PlannedFile & { sizeBytes: number },
  destination: Group["destination"] | undefined,
  ports: UploadFilePorts,
): Promise<Sent> {
  if (destination?.type === "SFTP") return sendBySftp(run, file, destination, ports);
  const earlier = await ports.deliveries.sending(file.fileName);
  const remarks = earlier === undefined ? [] : await leavePlace(earlier, file.fileName, undefined);
  return { type: "sent", remarks };
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

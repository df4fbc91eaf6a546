import type { Clock } from "../../core/clock.ts";
import type { RecordStore } from "../../records/documents/stored-record.ts";
import type { Events } from "../../records/events/events.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { Group } from "../../records/sources/group.ts";
import type { UnusableGroup } from "../../records/sources/source-store.ts";
import {
  type DeliveredRun,
  type Delivery,
  deliveryKey,
  type KeyedFile,
  type PlannedFile,
  type UploadedFile,
} from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { Sftp } from "../stage-results/sftp.ts";
import { abandonLocation } from "../stage-results/transfer.ts";
import { errorLog, marcXml } from "./contents.ts";
import { type SendOutcome, sendBySftp } from "./send-by-sftp.ts";

export interface UploadFilePorts {
  runs: Pick<RunStore, "loadPart" | "finishStage">;
  records: Pick<RecordStore, "loadMarc">;
  deliveries: DeliveryStore;
  sftp: Sftp;
  events: Events;
  clock: Clock;
}

export type FileOutcome =
  | { type: "uploaded"; file: UploadedFile }
  /**
   * The receiver does not have the file. The file is in the bucket, unless its group is missing and its folder is
   * therefore unknown. `isLoggedIn` means that the receiver accepted the login.
   */
  | { type: "undelivered"; reason: string; isLoggedIn: boolean };

/**
 * Writes a file to the bucket of deliveries and, if it contains valid records, delivers it to the destination of its
 * group. A file without a group waits.
 */
export async function uploadFile(
  run: DeliveredRun,
  planned: PlannedFile,
  group: Group | UnusableGroup | undefined,
  ports: UploadFilePorts,
): Promise<FileOutcome> {
  const { groupId, kind } = planned;
  const key = planned.key ?? (isUsable(group) ? await fixFileKey(run, planned, group, ports) : undefined);
  if (key === undefined) return undeliveredWithoutGroup(groupId, group);
  const file = { ...planned, key };
  const sizeBytes = await ports.deliveries.writeFile(key, marcXml(file, ports), "application/marcxml+xml");
  if (kind === "delinquent") {
    await ports.deliveries.writeFile(`${key}.log`, errorLog(file, ports), "text/plain; charset=utf-8");
  }
  const deliveredAt = () => ports.clock.now().toISOString();
  if (kind !== "valid") return { type: "uploaded", file: { ...file, deliveredAt: deliveredAt() } };
  if (!isUsable(group)) return undeliveredWithoutGroup(groupId, group);
  const sent = await send(run, { ...file, sizeBytes }, group.destination, ports);
  if (sent.type === "failed") return { ...sent, type: "undelivered" };
  const delivery = await publishDelivery(run, file, { sizeBytes, deliveredAt: deliveredAt() }, ports);
  const { remarks } = sent;
  const { deliveredAt: at } = delivery;
  return { type: "uploaded", file: { ...file, deliveredAt: at, ...(remarks.length > 0 && { remarks }) } };
}

function isUsable(group: Group | UnusableGroup | undefined): group is Group {
  return group !== undefined && !("problem" in group);
}

const groupMissing = "it is no longer configured: import it again, and its files are sent";

function undeliveredWithoutGroup(groupId: string, group: Group | UnusableGroup | undefined): FileOutcome {
  const problem = group !== undefined && "problem" in group ? group.problem : groupMissing;
  return { type: "undelivered", reason: `group ${groupId}: ${problem}`, isLoggedIn: false };
}

/**
 * Returns the key of a file that was planned without its group. The first key is stored, so that a repeat writes the
 * same file.
 */
async function fixFileKey(
  { runId, deliveryMode }: DeliveredRun,
  { fileName }: PlannedFile,
  group: Group,
  { runs }: UploadFilePorts,
): Promise<string> {
  const given = { key: deliveryKey(group, deliveryMode, fileName) };
  const { key } = await runs.finishStage(runId, `key-${fileName}`, given);
  return key;
}

/**
 * Sends a file to the destination of its group. If the destination is the bucket, the group may have left a receiver
 * meanwhile.
 */
async function send(
  run: DeliveredRun,
  file: KeyedFile & { sizeBytes: number },
  destination: Group["destination"],
  ports: UploadFilePorts,
): Promise<SendOutcome> {
  if (destination.type === "SFTP") return sendBySftp(run, file, destination, ports);
  const earlier = await ports.deliveries.transfer(file.fileName);
  const remarks = earlier === undefined ? [] : await abandonLocation(earlier, file.fileName, undefined);
  return { type: "sent", remarks };
}

/** Saves a delivery, and publishes it. */
async function publishDelivery(
  { runId, startedAt: runStartedAt, deliveryMode }: DeliveredRun,
  { groupId, fileName, key, documents }: KeyedFile,
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

import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import type { SftpDestination } from "../../records/sources/group-delivery-fields.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { type Delivery, deliverySortKey } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { Sftp, SftpSession } from "../stage-results/sftp.ts";

/** A delivered file that an operator sends to its receiver again. Only the last resend of a file is stored. */
export interface Resend {
  resendId: string;
  /** The operator who requested the resend. */
  by: string;
  /** ISO 8601 in UTC, like all times here. */
  requestedAt: string;
  state: "waiting" | "sent" | "failed";
  endedAt?: string;
  /** The reason why the resend failed. */
  reason?: string;
  /** A note on what an operator should check at the receiver. */
  remark?: string;
}

export interface ResendStore {
  /**
   * Stores a resend, unless a resend of the file has been waiting since `notBefore` or later.
   * @returns the waiting resend
   */
  start(sortKey: string, resend: Resend, notBefore: string): Promise<Resend>;
  /** Stores the outcome of a resend. Has no effect unless the resend is waiting. */
  finish(
    sortKey: string,
    resendId: string,
    end: Pick<Resend, "state" | "endedAt" | "reason" | "remark">,
  ): Promise<void>;
  get(sortKey: string): Promise<Resend | undefined>;
}

export const resendRequest = z.object({ sortKey: z.string(), resendId: z.string() });
export type ResendRequest = z.output<typeof resendRequest>;

/** The time after which a waiting resend counts as lost. */
const maxWaitMs = 3_600_000;

/** Requests that a delivered file is sent again. A repeated request while the resend waits has no further effect. */
export async function requestResend(
  delivery: Delivery,
  by: string,
  ports: {
    resends: Pick<ResendStore, "start">;
    resendQueue: { send(message: ResendRequest): Promise<void> };
    clock: Pick<Clock, "now">;
    newId(): string;
  },
): Promise<Resend> {
  const now = ports.clock.now();
  const wanted = { resendId: ports.newId(), by, requestedAt: now.toISOString(), state: "waiting" as const };
  const sortKey = deliverySortKey(delivery);
  const waiting = await ports.resends.start(
    sortKey,
    wanted,
    new Date(now.getTime() - maxWaitMs).toISOString(),
  );
  // The message is sent even if the resend is already waiting, because its message may be lost. A second message has no
  // effect.
  await ports.resendQueue.send({ sortKey, resendId: waiting.resendId });
  return waiting;
}

interface ResendPorts {
  resends: Pick<ResendStore, "get" | "finish">;
  deliveries: Pick<DeliveryStore, "get" | "readFile">;
  sources: Pick<SourceStore, "group">;
  sftp: Sftp;
  clock: Pick<Clock, "now">;
}

/**
 * Sends a delivered file to its receiver again, as stored in the bucket of deliveries. A failure is an outcome and is
 * not repeated automatically.
 */
export async function resendFile({ sortKey, resendId }: ResendRequest, ports: ResendPorts): Promise<void> {
  const resend = await ports.resends.get(sortKey);
  if (resend?.resendId !== resendId || resend.state !== "waiting") return;
  const outcome = await sendAgain(sortKey, resendId, ports);
  await ports.resends.finish(sortKey, resendId, { ...outcome, endedAt: ports.clock.now().toISOString() });
}

/** Ends a resend that cannot be carried out. */
export async function failResend(
  { sortKey, resendId }: ResendRequest,
  { resends, clock }: Pick<ResendPorts, "resends" | "clock">,
  reason: string,
): Promise<void> {
  const endedAt = clock.now().toISOString();
  await resends.finish(sortKey, resendId, { state: "failed", reason, endedAt });
}

async function sendAgain(
  sortKey: string,
  resendId: string,
  ports: ResendPorts,
): Promise<Pick<Resend, "state" | "reason" | "remark">> {
  const delivery = await ports.deliveries.get(sortKey);
  if (delivery === undefined)
    return { state: "failed", reason: "the delivery of this file is no longer stored" };
  const { groupId } = delivery;
  const group = await ports.sources.group(groupId);
  if (group === undefined) return { state: "failed", reason: `there is no group ${groupId}` };
  const { destination } = group;
  if (destination.type !== "SFTP") {
    return {
      state: "failed",
      reason: `group ${groupId} has no receiver: it fetches its files from the bucket`,
    };
  }
  let remark: string | undefined;
  const sent = await ports.sftp.withSession({ groupId, destination }, async (session) => {
    remark = await write(delivery, { resendId, destination, session }, ports);
  });
  if (sent.type === "failed") return { state: "failed", reason: sent.reason };
  return { state: "sent", ...(remark !== undefined && { remark }) };
}

/**
 * Writes the file.
 * @returns a note on what an operator should check; undefined when there is nothing to check
 */
async function write(
  { fileName, key, sizeBytes, deliveryMode }: Delivery,
  {
    resendId,
    destination,
    session,
  }: { resendId: string; destination: SftpDestination; session: SftpSession },
  { deliveries }: Pick<ResendPorts, "deliveries">,
): Promise<string | undefined> {
  const final = `${deliveryMode === "LIVE" ? destination.liveFolder : destination.testFolder}/${fileName}`;
  if ((await session.sizeOf(final)) === sizeBytes) return `${final} already existed, and was not replaced`;
  const temporary = `${final}.${resendId.slice(0, 8)}.tmp`;
  await session.write(temporary, deliveries.readFile(key));
  const refusal = await session.rename(temporary, final);
  if (refusal === undefined) return undefined;
  await session.remove(temporary);
  throw refusal;
}

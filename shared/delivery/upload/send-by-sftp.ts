import { isDeepStrictEqual } from "node:util";
import type { Run } from "../../harvest/run.ts";
import type { DeliveryStore, Sftp, SftpOutcome } from "../../ports.ts";
import type { SftpDestination } from "../../sources/group.ts";
import type { PlannedFile } from "../plan/delivery.ts";

interface SendPorts {
  deliveries: DeliveryStore;
  sftp: Sftp;
}

/** How far the sending of a file has come. */
export interface Sending {
  /** The receiver and its folder: what happened elsewhere says nothing of this one. */
  place: { host: string; port: number; folder: string };
  /** The path under which it is written, which ends in `.tmp`: the receiver overlooks it. */
  temporary: string;
  /** Set when it lies there whole. */
  sizeBytes?: number;
  /** A rename to the final name was sent, and the receiver has not refused it. */
  renameSent?: boolean;
}

/**
 * Sends a file to its receiver, once, and by one sender at a time. What is about to be done is noted first. The receiver
 * may take the file away at any time after the rename: so whoever repeats this and finds that a rename was sent, but no
 * `.tmp`, knows that it was renamed. A rename that was refused is tried again, and a file that is not there whole is
 * written again, in the place of what an earlier try has left.
 */
export async function sendBySftp(
  { deliveryMode }: Run,
  file: PlannedFile & { sizeBytes: number },
  destination: SftpDestination,
  { deliveries, sftp }: SendPorts,
): Promise<SftpOutcome> {
  const { groupId, fileName, key, sizeBytes } = file;
  const { host, port, liveFolder, testFolder } = destination;
  const place = { host, port, folder: deliveryMode === "LIVE" ? liveFolder : testFolder };
  const known = await deliveries.sending(fileName);
  const earlier = known !== undefined && isDeepStrictEqual(known.place, place) ? known : undefined;
  return sftp.session({ groupId, destination }, async (session) => {
    const liesBytes = earlier && (await session.sizeOf(earlier.temporary));
    if (earlier?.renameSent && liesBytes === undefined) return;

    let sending = earlier;
    if (sending?.sizeBytes !== sizeBytes || liesBytes !== sizeBytes) {
      if (earlier !== undefined) await session.remove(earlier.temporary);
      const temporary = `${place.folder}/${fileName}.${crypto.randomUUID().slice(0, 8)}.tmp`;
      sending = { place, temporary };
      await deliveries.noteSending(fileName, sending);
      await session.write(temporary, deliveries.content(key));
      sending = { ...sending, sizeBytes };
    }
    await deliveries.noteSending(fileName, { ...sending, renameSent: true });
    const refusal = await session.rename(sending.temporary, `${place.folder}/${fileName}`);
    if (refusal === undefined) return;
    await deliveries.noteSending(fileName, { ...sending, renameSent: false });
    throw refusal;
  });
}

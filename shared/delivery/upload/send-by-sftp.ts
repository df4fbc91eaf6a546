import { isDeepStrictEqual } from "node:util";
import type { Run } from "../../harvest/run.ts";
import type { DeliveryStore, Sftp, SftpSession } from "../../ports.ts";
import type { SftpDestination } from "../../sources/group.ts";
import type { PlacedFile } from "../plan/delivery.ts";
import { addressIn, clearAway, leavePlace, type Place, type Sending } from "./sending.ts";

interface SendPorts {
  deliveries: DeliveryStore;
  sftp: Sftp;
}

type WrittenFile = PlacedFile & { sizeBytes: number };

export type Sent =
  /** `remarks`: what an operator should look at on receivers. */
  { type: "sent"; remarks: string[] } | { type: "failed"; reason: string };

/**
 * Sends a file to its receiver, once, and by one sender at a time. What is about to be done is noted first. The receiver
 * may take the file away at any time after the rename: so whoever repeats this and finds that a rename was sent, but no
 * `.tmp`, takes it to be renamed, and remarks on it when the file is not to be seen either. A rename that was refused is
 * tried again, and a file that is not there whole is written again, in the place of what an earlier try has left.
 */
export async function sendBySftp(
  { deliveryMode }: Run,
  file: WrittenFile,
  destination: SftpDestination,
  { deliveries, sftp }: SendPorts,
): Promise<Sent> {
  const { groupId, fileName } = file;
  const { host, port, liveFolder, testFolder } = destination;
  const place = { host, port, folder: deliveryMode === "LIVE" ? liveFolder : testFolder };
  const known = await deliveries.sending(fileName);
  let remarks: string[] = [];
  const outcome = await sftp.session({ groupId, destination }, async (session) => {
    const isHere = known !== undefined && isDeepStrictEqual(known.place, place);
    const elsewhere =
      known !== undefined && !isHere ? await leavePlace(known, fileName, { place, session }) : [];
    remarks = await sendHere(
      file,
      { place, earlier: isHere ? known : undefined, elsewhere },
      session,
      deliveries,
    );
  });
  return outcome.type === "failed" ? outcome : { type: "sent", remarks };
}

/** @returns what is to be remarked on */
async function sendHere(
  { fileName, key, sizeBytes }: WrittenFile,
  { place, earlier, elsewhere }: { place: Place; earlier: Sending | undefined; elsewhere: string[] },
  session: SftpSession,
  deliveries: DeliveryStore,
): Promise<string[]> {
  const final = `${place.folder}/${fileName}`;
  const liesBytes = earlier && (await session.sizeOf(earlier.temporary));
  if (earlier?.renameSent && liesBytes === undefined) {
    const { leftBehind = [] } = earlier;
    const isThere = (await session.sizeOf(final)) === sizeBytes;
    return isThere ? leftBehind : [...leftBehind, unconfirmed(place, final)];
  }

  let sending = earlier;
  if (sending?.sizeBytes !== sizeBytes || liesBytes !== sizeBytes) {
    const leftBehind = earlier === undefined ? elsewhere : await clearAway(earlier, session);
    const temporary = `${final}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    const begun = { place, temporary, leftBehind };
    await deliveries.noteSending(fileName, begun);
    await session.write(temporary, deliveries.content(key));
    sending = { ...begun, sizeBytes };
  }
  await deliveries.noteSending(fileName, { ...sending, renameSent: true });
  const refusal = await session.rename(sending.temporary, final);
  if (refusal === undefined) return sending.leftBehind ?? [];
  await deliveries.noteSending(fileName, { ...sending, renameSent: false });
  throw refusal;
}

function unconfirmed(place: Place, final: string): string {
  return `${addressIn(place, final)} was not to be seen when a broken connection was taken up again: see whether the receiver has got it`;
}

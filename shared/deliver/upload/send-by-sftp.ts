import { isDeepStrictEqual } from "node:util";
import type { SftpDestination } from "../../records/sources/group-delivery-fields.ts";
import type { DeliveredRun, KeyedFile } from "../stage-results/delivery.ts";
import type { DeliveryStore } from "../stage-results/delivery-store.ts";
import type { Sftp, SftpSession } from "../stage-results/sftp.ts";
import {
  abandonLocation,
  removeTemporaryFile,
  type SftpLocation,
  type SftpTransfer,
  sftpUrl,
} from "../stage-results/transfer.ts";

interface SendPorts {
  deliveries: DeliveryStore;
  sftp: Sftp;
}

type WrittenFile = KeyedFile & { sizeBytes: number };

export type SendOutcome =
  /** `remarks` contains notes on what an operator should check at receivers. */
  | { type: "sent"; remarks: string[] }
  /** `isLoggedIn` means that the receiver accepted the login; the session failed later, or a step was refused. */
  | { type: "failed"; reason: string; isLoggedIn: boolean };

/**
 * Sends a file to its receiver once. Each step is stored before it is carried out. The receiver may remove the file at
 * any time after the rename. Therefore, a repeat that finds that the rename was sent and that the `.tmp` file does not
 * exist assumes that the file was received. If the final file does not exist either, a remark says so. A refused rename
 * is tried again. An incomplete file is written again, and its remains are removed.
 */
export async function sendBySftp(
  { deliveryMode }: Pick<DeliveredRun, "deliveryMode">,
  file: WrittenFile,
  destination: SftpDestination,
  { deliveries, sftp }: SendPorts,
): Promise<SendOutcome> {
  const { groupId, fileName } = file;
  const { host, port, liveFolder, testFolder } = destination;
  const location = { host, port, folder: deliveryMode === "LIVE" ? liveFolder : testFolder };
  const known = await deliveries.transfer(fileName);
  let remarks: string[] = [];
  let isLoggedIn = false;
  const outcome = await sftp.withSession({ groupId, destination }, async (session) => {
    isLoggedIn = true;
    const isHere = known !== undefined && isDeepStrictEqual(known.location, location);
    const elsewhere =
      known !== undefined && !isHere ? await abandonLocation(known, fileName, { location, session }) : [];
    remarks = await sendToLocation(
      file,
      { location, earlier: isHere ? known : undefined, elsewhere },
      session,
      deliveries,
    );
  });
  return outcome.type === "failed" ? { ...outcome, isLoggedIn } : { type: "sent", remarks };
}

/**
 * Sends a file to a location.
 * @returns the remarks for operators
 */
async function sendToLocation(
  { fileName, key, sizeBytes }: WrittenFile,
  {
    location,
    earlier,
    elsewhere,
  }: { location: SftpLocation; earlier: SftpTransfer | undefined; elsewhere: string[] },
  session: SftpSession,
  deliveries: DeliveryStore,
): Promise<string[]> {
  const final = `${location.folder}/${fileName}`;
  const temporaryBytes = earlier && (await session.sizeOf(earlier.temporaryPath));
  if (earlier?.renameSent && temporaryBytes === undefined) {
    const { leftoverNotes = [] } = earlier;
    const isThere = (await session.sizeOf(final)) === sizeBytes;
    return isThere ? leftoverNotes : [...leftoverNotes, describeUnconfirmed(location, final)];
  }

  let transfer = earlier;
  if (transfer?.sizeBytes !== sizeBytes || temporaryBytes !== sizeBytes) {
    const leftBehind = earlier === undefined ? elsewhere : await removeTemporaryFile(earlier, session);
    const temporary = `${final}.${crypto.randomUUID().slice(0, 8)}.tmp`;
    const started = { location, temporaryPath: temporary, leftoverNotes: leftBehind };
    await deliveries.saveTransfer(fileName, started);
    await session.write(temporary, deliveries.readFile(key));
    transfer = { ...started, sizeBytes };
  }
  await deliveries.saveTransfer(fileName, { ...transfer, renameSent: true });
  const refusal = await session.rename(transfer.temporaryPath, final);
  if (refusal === undefined) return transfer.leftoverNotes ?? [];
  await deliveries.saveTransfer(fileName, { ...transfer, renameSent: false });
  throw refusal;
}

function describeUnconfirmed(location: SftpLocation, final: string): string {
  return `${sftpUrl(location, final)} was not found when a broken transfer was continued: check whether the receiver has it`;
}

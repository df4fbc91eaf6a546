import type { Run } from "../harvest/run.ts";
import type { DeliveryStore, Sftp, SftpOutcome } from "../ports.ts";
import type { SftpDestination } from "../sources/group.ts";
import type { PlannedFile } from "./delivery.ts";

interface SendPorts {
  deliveries: DeliveryStore;
  sftp: Sftp;
}

/**
 * Sends a file to its receiver, once. It is written under a name that ends in `.tmp`, which the receiver overlooks; that it
 * is whole is noted; then it is renamed. The receiver may take the file away at any time after that: so whoever repeats
 * this and finds the note, but not the `.tmp`, knows that it was renamed.
 */
export async function sendBySftp(
  { deliveryMode }: Run,
  { groupId, fileName, key }: PlannedFile,
  destination: SftpDestination,
  { deliveries, sftp }: SendPorts,
): Promise<SftpOutcome> {
  const folder = deliveryMode === "LIVE" ? destination.liveFolder : destination.testFolder;
  return sftp.session({ groupId, destination }, async (session) => {
    let staged = await deliveries.staged(fileName);
    if (staged === undefined) {
      // A name of its own, as the same stage may be at work twice.
      const temporary = `${folder}/${fileName}.${crypto.randomUUID().slice(0, 8)}.tmp`;
      await session.write(temporary, deliveries.content(key));
      staged = await deliveries.markStaged(fileName, temporary);
      if (staged !== temporary) await session.remove(temporary);
    }
    if (await session.exists(staged)) await session.rename(staged, `${folder}/${fileName}`);
  });
}

import type { SftpSession } from "./sftp.ts";

/** A folder of a receiver. The state of a transfer is valid only for this location. */
export interface SftpLocation {
  host: string;
  port: number;
  folder: string;
}

/** The state of a file's transfer. */
export interface SftpTransfer {
  location: SftpLocation;
  /** The path of the incomplete file. It ends in `.tmp`, so that receivers ignore the file. */
  temporaryPath: string;
  /** Set when the file at this path is complete. */
  sizeBytes?: number;
  /** Set when a rename to the final name was sent and not refused. */
  renameSent?: boolean;
  /** Notes on files that earlier tries have left at receivers and could not remove. */
  leftoverNotes?: string[];
}

/** Returns the URL of a path at a receiver. */
export function sftpUrl({ host, port }: Pick<SftpLocation, "host" | "port">, path: string): string {
  return `sftp://${host}:${port}/${path.replace(/^\//, "")}`;
}

/**
 * Removes the incomplete file of an earlier try, and no other file.
 * @returns notes on all files that remain
 */
export async function removeTemporaryFile(
  { location, temporaryPath, leftoverNotes = [] }: SftpTransfer,
  session: SftpSession,
): Promise<string[]> {
  const refusal = await session.remove(temporaryPath);
  const stays = `${sftpUrl(location, temporaryPath)} was left by an earlier attempt: remove it manually`;
  return refusal === undefined ? leftoverNotes : [...leftoverNotes, `${stays}: ${refusal.message}`];
}

/**
 * Abandons the location of an earlier try. The incomplete file is removed if it is at the same receiver. If the group
 * no longer uses that receiver, no login is attempted.
 * @returns notes on all files that remain
 */
export async function abandonLocation(
  earlier: SftpTransfer,
  fileName: string,
  now: { location: SftpLocation; session: SftpSession } | undefined,
): Promise<string[]> {
  const { location, temporaryPath, renameSent = false, leftoverNotes = [] } = earlier;
  const final = sftpUrl(location, `${location.folder}/${fileName}`);
  const arrived = renameSent
    ? [`${final} may have been received there, too, before the group left the receiver`]
    : [];
  if (now?.location.host === location.host && now.location.port === location.port) {
    return [...(await removeTemporaryFile(earlier, now.session)), ...arrived];
  }
  const stays = `${sftpUrl(location, temporaryPath)} may be left by an attempt before the group left this receiver: remove it manually`;
  return [...leftoverNotes, stays, ...arrived];
}

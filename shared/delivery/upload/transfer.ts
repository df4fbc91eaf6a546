import type { SftpSession } from "./sftp.ts";

/** A receiver and its folder: what happened elsewhere says nothing of this one. */
export interface SftpLocation {
  host: string;
  port: number;
  folder: string;
}

/** How far the sending of a file has come. */
export interface SftpTransfer {
  location: SftpLocation;
  /** The path under which it is written, which ends in `.tmp`: the receiver overlooks it. */
  temporaryPath: string;
  /** Set when it lies there whole. */
  sizeBytes?: number;
  /** A rename to the final name was sent, and the receiver has not refused it. */
  renameSent?: boolean;
  /** What earlier tries have left on receivers and could not clear away, in words. */
  leftoverNotes?: string[];
}

/** A path on a receiver, as people write it. */
export function sftpUrl({ host, port }: Pick<SftpLocation, "host" | "port">, path: string): string {
  return `sftp://${host}:${port}/${path.replace(/^\//, "")}`;
}

/**
 * Clears away what an earlier try has left here, and gives all that stays behind. Only what was noted as ours is removed.
 */
export async function removeTemporaryFile(
  { location, temporaryPath, leftoverNotes = [] }: SftpTransfer,
  session: SftpSession,
): Promise<string[]> {
  const refusal = await session.remove(temporaryPath);
  const stays = `${sftpUrl(location, temporaryPath)} is left of an earlier try, and must be removed by hand`;
  return refusal === undefined ? leftoverNotes : [...leftoverNotes, `${stays}: ${refusal.message}`];
}

/**
 * Leaves the place of an earlier try for another, and gives all that stays behind. On the same receiver it is cleared
 * away; another that the group has left is not logged into any more.
 */
export async function abandonLocation(
  earlier: SftpTransfer,
  fileName: string,
  now: { place: SftpLocation; session: SftpSession } | undefined,
): Promise<string[]> {
  const { location, temporaryPath, renameSent = false, leftoverNotes = [] } = earlier;
  const final = sftpUrl(location, `${location.folder}/${fileName}`);
  const arrived = renameSent ? [`${final} may have been received there, too, before the group left it`] : [];
  if (now?.place.host === location.host && now.place.port === location.port) {
    return [...(await removeTemporaryFile(earlier, now.session)), ...arrived];
  }
  const stays = `${sftpUrl(location, temporaryPath)} may be left of a try before the group left this receiver: remove it by hand`;
  return [...leftoverNotes, stays, ...arrived];
}

import type { SftpSession } from "../../ports.ts";

/** A receiver and its folder: what happened elsewhere says nothing of this one. */
export interface Place {
  host: string;
  port: number;
  folder: string;
}

/** How far the sending of a file has come. */
export interface Sending {
  place: Place;
  /** The path under which it is written, which ends in `.tmp`: the receiver overlooks it. */
  temporary: string;
  /** Set when it lies there whole. */
  sizeBytes?: number;
  /** A rename to the final name was sent, and the receiver has not refused it. */
  renameSent?: boolean;
  /** What earlier tries have left on receivers and could not clear away, in words. */
  leftBehind?: string[];
}

/** A path on a receiver, as people write it. */
export function addressIn({ host, port }: Pick<Place, "host" | "port">, path: string): string {
  return `sftp://${host}:${port}/${path.replace(/^\//, "")}`;
}

/**
 * Clears away what an earlier try has left here, and gives all that stays behind. Only what was noted as ours is removed.
 */
export async function clearAway(
  { place, temporary, leftBehind = [] }: Sending,
  session: SftpSession,
): Promise<string[]> {
  const refusal = await session.remove(temporary);
  const stays = `${addressIn(place, temporary)} is left of an earlier try, and must be removed by hand`;
  return refusal === undefined ? leftBehind : [...leftBehind, `${stays}: ${refusal.message}`];
}

/**
 * Leaves the place of an earlier try for another, and gives all that stays behind. On the same receiver it is cleared
 * away; another that the group has left is not logged into any more.
 */
export async function leavePlace(
  earlier: Sending,
  fileName: string,
  now: { place: Place; session: SftpSession } | undefined,
): Promise<string[]> {
  const { place, temporary, renameSent = false, leftBehind = [] } = earlier;
  const final = addressIn(place, `${place.folder}/${fileName}`);
  const arrived = renameSent ? [`${final} may have been received there, too, before the group left it`] : [];
  if (now?.place.host === place.host && now.place.port === place.port) {
    return [...(await clearAway(earlier, now.session)), ...arrived];
  }
  const stays = `${addressIn(place, temporary)} may be left of a try before the group left this receiver: remove it by hand`;
  return [...leftBehind, stays, ...arrived];
}

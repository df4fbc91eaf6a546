import { base32, base32Values } from "../../warc/base32.ts";
import type { ByteView, ByteWriter } from "../lines/byte-view.ts";

/** The length of a SHA-1 in base32, as crawlers write it. */
const digestLength = 32;

export const packedBytes = 20;

/**
 * Writes a digest as 20 bytes if it is a SHA-1 in base32. @returns false if it is not; in this case, nothing
 * is written
 */
export function packDigest(
  { bytes }: ByteView,
  range: { start: number; end: number },
  to: ByteWriter,
): boolean {
  const { start, end } = range;
  if (end - start !== digestLength) return false;
  const before = to.at;
  for (let at = start; at < end; at += 8) {
    const high = twentyBits(bytes, at);
    const low = twentyBits(bytes, at + 4);
    if (high < 0 || low < 0) {
      to.at = before;
      return false;
    }
    to.putByte(high >>> 12);
    to.putByte(high >>> 4);
    to.putByte((high << 4) | (low >>> 16));
    to.putByte(low >>> 8);
    to.putByte(low);
  }
  return true;
}

export function unpackDigest(bytes: Uint8Array, at: number): string {
  return base32(bytes.subarray(at, at + packedBytes));
}

/**
 * Returns the value of four characters; negative if one of them is not base32, because -1 has all bits set.
 */
function twentyBits(bytes: Uint8Array, at: number): number {
  const first = base32Values[bytes[at] as number] as number;
  const second = base32Values[bytes[at + 1] as number] as number;
  const third = base32Values[bytes[at + 2] as number] as number;
  const fourth = base32Values[bytes[at + 3] as number] as number;
  return (first << 15) | (second << 10) | (third << 5) | fourth;
}

import { isUtf8 } from "node:buffer";

/**
 * Returns the index of the first byte from `from` that does not belong to a UTF-8 character; -1 when there is no such
 * byte.
 */
export function findInvalidUtf8(bytes: Uint8Array, from = 0): number {
  if (from === 0 && isUtf8(bytes)) return -1;
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const length = utf8Length(byte);
    if (length === 0 || (length > 1 && !isUtf8(bytes.subarray(at, at + length)))) return at;
    at += length;
  }
  return -1;
}

/** Returns the number of bytes of a character that begins with this byte; 0 when no character does. */
export function utf8Length(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

import { isUtf8 } from "node:buffer";

/** The first byte from `from` on that belongs to no character of UTF-8; -1: there is none. */
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

/** The bytes of a character that begins with this one; 0: none does. */
export function utf8Length(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

import { crc32 } from "node:zlib";

/** The maximum size of one block. */
const maxBlockBytes = 65_535;

/** Deflate, no flags, no time, no level, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * Returns a gzip member whose content is stored uncompressed and not copied, for content that is already
 * compressed.
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3
 * @see https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4
 */
export function storedMember(content: readonly Uint8Array[]): Uint8Array[] {
  const member: Uint8Array[] = [header];
  let checksum = 0;
  let sizeBytes = 0;
  for (const piece of content) {
    checksum = crc32(piece, checksum);
    sizeBytes += piece.byteLength;
    for (let at = 0; at < piece.byteLength; at += maxBlockBytes) {
      const block = piece.subarray(at, at + maxBlockBytes);
      member.push(blockHeader(block.byteLength), block);
    }
  }
  const trailer = Buffer.allocUnsafe(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(sizeBytes % 2 ** 32, 4);
  member.push(lastBlock, trailer);
  return member;
}

/** An empty last block. */
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff]);

/** Returns the header of a block that is not the last one: type 0, and the length with its complement. */
function blockHeader(sizeBytes: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(5);
  bytes[0] = 0;
  bytes.writeUInt16LE(sizeBytes, 1);
  bytes.writeUInt16LE(~sizeBytes & 0xffff, 3);
  return bytes;
}

import type { WarcBlock } from "./warc-record.ts";

/** Returns the first bytes of a block. */
export async function firstBytes(chunks: WarcBlock["chunks"], count: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let left = count;
  for await (const chunk of chunks()) {
    pieces.push(chunk.subarray(0, left));
    left -= chunk.byteLength;
    if (left <= 0) break;
  }
  return Buffer.concat(pieces);
}

/** Yields a block without its first bytes. */
export function withoutFirst(chunks: WarcBlock["chunks"], count: number): WarcBlock["chunks"] {
  if (count === 0) return chunks;
  return async function* () {
    let left = count;
    for await (const chunk of chunks()) {
      if (chunk.byteLength > left) yield chunk.subarray(left);
      left = Math.max(0, left - chunk.byteLength);
    }
  };
}

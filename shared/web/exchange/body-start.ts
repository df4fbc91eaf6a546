import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { encodingsOf, hasZlibHeader } from "./decode-body.ts";

/** With these options, a decoder accepts an incomplete body. */
const ofZlib = { finishFlush: constants.Z_SYNC_FLUSH };
const ofBrotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
const ofZstd = { finishFlush: constants.ZSTD_e_flush };

type OpenEngine = (wire: Uint8Array) => Transform;

const engines: ReadonlyMap<string, OpenEngine> = new Map<string, OpenEngine>([
  ["gzip", () => createGunzip(ofZlib)],
  ["x-gzip", () => createGunzip(ofZlib)],
  ["deflate", (wire) => (hasZlibHeader(wire) ? createInflate(ofZlib) : createInflateRaw(ofZlib))],
  ["br", () => createBrotliDecompress(ofBrotli)],
  ["zstd", () => createZstdDecompress(ofZstd)],
]);

/**
 * Decompresses the beginning of a body. The rest may be missing, invalid or too large.
 * @param contentEncoding the header's value
 * @param most the largest number of decompressed bytes to return; fewer are returned if the body is shorter or its rest
 * is invalid
 */
export async function decodeBodyStart(
  wire: Uint8Array,
  contentEncoding: string,
  most: number,
): Promise<Uint8Array> {
  let start = wire;
  for (const encoding of encodingsOf(contentEncoding)) {
    const open = engines.get(encoding);
    if (open === undefined) return new Uint8Array(0);
    start = await unpackStart(open(start), start, most);
  }
  return start.subarray(0, most);
}

function unpackStart(engine: Transform, wire: Uint8Array, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    engine.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= most) engine.destroy();
    });
    // The bytes before the error are valid.
    engine.on("error", () => {});
    engine.on("close", () => resolve(Buffer.concat(chunks).subarray(0, most)));
    engine.end(wire);
  });
}

import { promisify } from "node:util";
import { createGzip, gzip, gzipSync, type ZlibOptions } from "node:zlib";
import { storedMember } from "./stored-member.ts";
import { formatHeader, recordEnd, type WarcRecord } from "./warc-record.ts";

const gzipInThread = promisify<Uint8Array, ZlibOptions, Buffer>(gzip);

/** The maximum size of a block that is compressed in memory. Larger blocks are compressed as a stream. */
const maxHeldBytes = 1_048_576;

/** The minimum size of a block that is compressed in another thread. */
const minThreadBytes = 16_384;

/**
 * A window of 2 KiB, because most heads are smaller: the default window takes longer to prepare than to use.
 * A higher level would save two of 380 bytes.
 */
const smallWindow: ZlibOptions = { level: 1, windowBits: 11, memLevel: 5, chunkSize: 2048 };
const maxSmallBytes = 2048;

/** Yields a record as a gzip member. @throws Error if the size of its block differs from the declared size */
export async function* gzipMember(record: WarcRecord): AsyncGenerator<Uint8Array> {
  if (isHeld(record)) {
    yield* await compress(record);
    return;
  }
  const compressed = createGzip({ level: record.isStored === true ? 0 : 6 });
  const feed = (async () => {
    for await (const part of recordBytes(record)) {
      if (!compressed.write(part)) await new Promise((resolve) => compressed.once("drain", resolve));
    }
    compressed.end();
  })();
  feed.catch((error: unknown) => compressed.destroy(error as Error));
  yield* compressed as AsyncIterable<Uint8Array>;
}

/** Returns whether the block is small enough to be compressed in memory. */
export function isHeld({ block }: WarcRecord): boolean {
  return block.sizeBytes <= maxHeldBytes;
}

/** Returns a record as a gzip member. Its block must be in memory. */
export async function compress(record: WarcRecord): Promise<Uint8Array[]> {
  const parts = await partsOf(record);
  if (record.isStored === true && record.block.sizeBytes > maxSmallBytes) return storedMember(parts);
  const bytes = Buffer.concat(parts);
  if (record.isStored === true) return storedMember([bytes]);
  if (bytes.byteLength <= maxSmallBytes) return [gzipSync(bytes, smallWindow)];
  const options = { chunkSize: bytes.byteLength + 1024 };
  return [bytes.byteLength < minThreadBytes ? gzipSync(bytes, options) : await gzipInThread(bytes, options)];
}

async function partsOf(record: WarcRecord): Promise<Uint8Array[]> {
  const { block } = record;
  const chunks = block.chunks();
  const parts: Uint8Array[] = [Buffer.from(formatHeader(record), "utf8")];
  let sizeBytes = 0;
  const add = (chunk: Uint8Array) => {
    parts.push(chunk);
    sizeBytes += chunk.byteLength;
  };
  // Most blocks are in memory. A turn of the event loop for each chunk would cost more than its compression.
  if (Symbol.iterator in chunks) for (const chunk of chunks) add(chunk);
  else for await (const chunk of chunks) add(chunk);
  assertSize(record, sizeBytes);
  parts.push(recordEnd);
  return parts;
}

async function* recordBytes(record: WarcRecord): AsyncGenerator<Uint8Array> {
  yield Buffer.from(formatHeader(record), "utf8");
  let sizeBytes = 0;
  for await (const chunk of record.block.chunks()) {
    sizeBytes += chunk.byteLength;
    yield chunk;
  }
  assertSize(record, sizeBytes);
  yield recordEnd;
}

/** Checks the size, because a wrong length would hide the next record. */
function assertSize({ block, id }: WarcRecord, sizeBytes: number): void {
  if (sizeBytes === block.sizeBytes) return;
  throw new Error(`the block of ${id} has ${sizeBytes} bytes instead of ${block.sizeBytes}`);
}

import { Readable } from "node:stream";
import { RandomAccessReader } from "yauzl";

/** A stored file that is read from any place, such as an object in a bucket. */
export interface RandomAccessFile {
  sizeBytes: number;
  /** The bytes from `start`, and before `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Headers of entries are small and near each other: a request returns many. */
const blockBytes = 64 * 1024;

/** Has yauzl read a file, with one block of small ranges in memory. */
export class BlockReader extends RandomAccessReader {
  private readonly file: RandomAccessFile;
  private block: { start: number; bytes: Promise<Buffer> } | undefined;

  constructor(file: RandomAccessFile) {
    super();
    this.file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const isLong = end - start > blockBytes;
    return Readable.from(isLong ? this.file.read(start, end) : this.fromBlock(start, end), {
      objectMode: false,
    });
  }

  private async *fromBlock(start: number, end: number): AsyncGenerator<Uint8Array> {
    const known = this.block;
    if (known !== undefined && start >= known.start) {
      const bytes = await known.bytes;
      if (end <= known.start + bytes.byteLength) {
        yield bytes.subarray(start - known.start, end - known.start);
        return;
      }
    }
    const blockEnd = Math.min(this.file.sizeBytes, Math.max(end, start + blockBytes));
    const bytes = collect(this.file.read(start, blockEnd));
    this.block = { start, bytes };
    yield (await bytes).subarray(0, end - start);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces);
}

import { createGunzip, type Gunzip } from "node:zlib";
import type { LineRange } from "../lines/each-line.ts";

/** The size of a chunk. Each chunk needs a call into another thread, so small chunks would be slow. */
const chunkBytes = 256 * 1024;

/** A range of the bytes of a gzip file. */
interface CompressedRange {
  start: number;
  end: number;
  /** The size of the file. */
  sizeBytes: number;
}

/**
 * Decompresses a range of a gzip file, for `eachLine`. Gzip cannot be read from the middle, so the content
 * before the range is decompressed and discarded, which is much faster than reading its lines. The content
 * that inflate yields for a beginning of the file does not depend on the chunking. Therefore adjacent ranges
 * have neither gaps nor overlaps.
 *
 * @param bytes of the whole file
 * @throws Error of zlib (`Z_…`) for a file that is damaged or truncated, if the reader gets that far
 * @see https://www.rfc-editor.org/rfc/rfc1951
 */
export async function openCompressedRange(
  bytes: AsyncIterable<Uint8Array>,
  { start, end, sizeBytes }: CompressedRange,
): Promise<{ bytes: AsyncIterable<Uint8Array>; range: LineRange }> {
  const marks: Marks = { start: start === 0 ? 0 : undefined, end: undefined };
  const content = decompress(bytes, { start, end: end < sizeBytes ? end : undefined }, marks);
  const before = await readUntilStart(content, marks);
  const range: LineRange = {
    isContinued: before.lastByte !== undefined,
    lengthBytes: Number.POSITIVE_INFINITY,
  };
  return { bytes: readRange(content, before, { marks, range }), range };
}

/** Offsets in the content. Each is set when the content is decompressed up to it. */
interface Marks {
  start: number | undefined;
  end: number | undefined;
}

interface Before {
  /** The byte before the range; absent at the beginning of the content. */
  lastByte: number | undefined;
  /** The first chunk that extends into the range; absent at the end of the content. */
  rest: Uint8Array | undefined;
}

async function readUntilStart(content: AsyncIterator<Uint8Array>, marks: Marks): Promise<Before> {
  let at = 0;
  let lastByte: number | undefined;
  // The marks are set before the content behind them is yielded.
  for (;;) {
    if (marks.start === 0) return { lastByte, rest: new Uint8Array() };
    const { done, value } = await content.next();
    if (done) return { lastByte, rest: undefined };
    const inside = marks.start === undefined ? value.length : Math.min(value.length, marks.start - at);
    if (inside > 0) lastByte = value[inside - 1];
    at += inside;
    if (inside < value.length) return { lastByte, rest: value.subarray(inside) };
  }
}

/** Yields the byte before the range, the range, and then the content that may complete its last line. */
async function* readRange(
  content: AsyncIterator<Uint8Array>,
  { lastByte, rest }: Before,
  { marks, range }: { marks: Marks; range: LineRange },
): AsyncGenerator<Uint8Array> {
  try {
    if (lastByte !== undefined) yield Uint8Array.of(lastByte);
    let at = 0;
    for (let chunk = rest; chunk !== undefined; ) {
      const left = marks.end === undefined ? chunk.length : marks.end - (marks.start ?? 0) - at;
      const inside = chunk.subarray(0, Math.max(0, left));
      at += inside.length;
      if (inside.length > 0) yield inside;
      if (inside.length < chunk.length) {
        range.lengthBytes = at;
        yield chunk.subarray(inside.length);
      }
      const { done, value } = await content.next();
      chunk = done ? undefined : value;
    }
  } finally {
    await content.return?.();
  }
}

/**
 * Decompresses the content of a gzip file. Records how much content the bytes before `start` and before `end`
 * yield.
 */
function decompress(
  bytes: AsyncIterable<Uint8Array>,
  places: { start: number; end: number | undefined },
  marks: Marks,
): AsyncIterator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  let yielded = 0;
  const push = gunzip.push.bind(gunzip);
  gunzip.push = (chunk: Uint8Array | null) => {
    yielded += chunk?.length ?? 0;
    return push(chunk);
  };
  const feed = async () => {
    let at = 0;
    for await (const chunk of bytes) {
      for (let from = 0; from < chunk.length; ) {
        const next = [places.start, places.end].find((place) => place !== undefined && place > at);
        const piece = chunk.subarray(from, next === undefined ? undefined : from + next - at);
        await write(gunzip, piece);
        from += piece.length;
        at += piece.length;
        if (at === places.start) marks.start = yielded;
        if (at === places.end) marks.end = yielded;
      }
    }
    gunzip.end();
  };
  // The error is passed to the reader of the content.
  feed().catch((error: Error) => gunzip.destroy(error));
  return gunzip[Symbol.asyncIterator]();
}

/** Resolves when the content of a chunk is out, so that the memory of the chunk may be reused. */
function write(gunzip: Gunzip, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // If a reader needs no more content, it closes the stream, and the pending write is never completed.
    const onClose = () => reject(new Error("the content is closed"));
    gunzip.once("close", onClose);
    gunzip.write(piece, (error) => {
      gunzip.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

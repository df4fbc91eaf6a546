import { createGunzip, type Gunzip } from "node:zlib";
import type { LineRange } from "../lines/each-line.ts";

/** Small pieces take a call into another thread each. */
const chunkBytes = 256 * 1024;

/** Bytes of a gzip file, as it is stored. */
interface CompressedRange {
  start: number;
  end: number;
  /** The size of the file. */
  sizeBytes: number;
}

/**
 * The content that comes out of a range of a gzip file, for `eachLine`. Gzip cannot be read from the middle: what is
 * before the range is decompressed and dropped, which is much faster than reading its lines. The bytes that inflate
 * yields for a beginning of the file do not depend on how it is chunked, so that ranges side by side meet exactly.
 *
 * @param bytes of the whole file
 * @throws Error of zlib (`Z_…`) for a file that is damaged or cut off, as far as it is read
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

/** Places in the content, once it is decompressed so far. */
interface Marks {
  start: number | undefined;
  end: number | undefined;
}

interface Before {
  /** The byte before the range; absent at the beginning of the content. */
  lastByte: number | undefined;
  /** The first chunk that reaches into the range; absent at the end of the content. */
  rest: Uint8Array | undefined;
}

async function readUntilStart(content: AsyncIterator<Uint8Array>, marks: Marks): Promise<Before> {
  let at = 0;
  let lastByte: number | undefined;
  // Set before what is behind it comes.
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

/** The byte before the range, the range, and then what comes for its last line. */
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

/** The content of a gzip file. Notes how much of it the bytes before `start` and before `end` yield. */
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
  // The reader of the content gets the error.
  feed().catch((error: Error) => gunzip.destroy(error));
  return gunzip[Symbol.asyncIterator]();
}

/** Resolves when the content of a piece is out; its memory may then be used again. */
function write(gunzip: Gunzip, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    // A reader that needs no more closes it, and then the call is not answered.
    const onClose = () => reject(new Error("the content is closed"));
    gunzip.once("close", onClose);
    gunzip.write(piece, (error) => {
      gunzip.off("close", onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

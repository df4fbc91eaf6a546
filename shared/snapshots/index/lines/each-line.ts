import { ByteView } from "./byte-view.ts";

/** Receives the lines of a file. */
export interface LineSink {
  /**
   * Receives a line without its line end. The bytes are valid until the returned promise resolves. @returns a
   * promise for which the next line must wait, if any
   */
  line(view: ByteView, start: number, end: number): Promise<void> | undefined;
  /** Called for a line that is too long to be held in memory. */
  tooLong(): void;
}

const lineFeed = 0x0a;

const maxLineBytes = 1024 * 1024;

/** The lines that begin in a range of a file. */
export interface LineRange {
  /**
   * Whether the range is not the first one. If so, the bytes begin with the last byte of the range before it.
   */
  isContinued: boolean;
  /** The length of the range. It must be set before the first bytes after the range are yielded. */
  lengthBytes: number;
}

/** Reads the lines of a file, or those that begin in a range of it. */
export async function eachLine(
  chunks: AsyncIterable<Uint8Array>,
  sink: LineSink,
  range: LineRange = { isContinued: false, lengthBytes: Number.POSITIVE_INFINITY },
): Promise<void> {
  // A range is read from the byte before it. If this byte ends a line, the first line belongs to the range.
  let skips = range.isContinued;
  let read = range.isContinued ? -1 : 0;
  let pending: Uint8Array | undefined;
  for await (const chunk of chunks) {
    const view = new ByteView(chunk);
    const left = range.lengthBytes - read;
    let start = 0;
    if (skips || pending !== undefined) {
      const end = chunk.indexOf(lineFeed);
      if (end >= 0) {
        if (pending !== undefined) await finish(pending, chunk.subarray(0, end), sink);
        pending = undefined;
        skips = false;
      } else if (pending !== undefined) pending = continued(pending, chunk);
      start = end < 0 ? chunk.length : end + 1;
    }
    for (let end = chunk.indexOf(lineFeed, start); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      if (start >= left) return;
      if (end - start > maxLineBytes) sink.tooLong();
      else {
        const wait = sink.line(view, start, end);
        if (wait !== undefined) await wait;
      }
      start = end + 1;
    }
    if (start >= left && pending === undefined) return;
    read += chunk.length;
    // The rest is copied, because a source may reuse the memory of a chunk.
    if (start < chunk.length) pending = Uint8Array.from(chunk.subarray(start));
  }
  if (pending !== undefined) await finish(pending, new Uint8Array(), sink);
}

/**
 * Joins the beginning of a line and the next bytes. Of a line that is too long, only the first bytes are
 * kept.
 */
function continued(pending: Uint8Array, chunk: Uint8Array): Uint8Array {
  return pending.length > maxLineBytes ? pending : Buffer.concat([pending, chunk]);
}

async function finish(pending: Uint8Array, rest: Uint8Array, sink: LineSink): Promise<void> {
  const line = rest.length === 0 ? pending : Buffer.concat([pending, rest]);
  if (line.length > maxLineBytes) sink.tooLong();
  else await sink.line(new ByteView(line), 0, line.length);
}

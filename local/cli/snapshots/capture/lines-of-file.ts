import { closeSync, openSync, readSync } from "node:fs";

const lineFeed = 0x0a;

const defaultChunkBytes = 1024 * 1024;

/**
 * Yields the lines of a file, without their line ends. Only one chunk is in memory, because a file may be
 * longer than a string can be (512 MB). A last line without a line end is also yielded.
 * @returns the size of the complete lines in bytes
 */
export function* linesOfFile(
  path: string,
  { chunkBytes = defaultChunkBytes, endsWhole = false }: { chunkBytes?: number; endsWhole?: boolean } = {},
): Generator<Buffer, number> {
  const file = openSync(path, "r");
  try {
    const pending: Buffer[] = [];
    let whole = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes);
      const content = chunk.subarray(0, readSync(file, chunk));
      if (content.length === 0) break;
      let start = 0;
      for (let end = content.indexOf(lineFeed); end >= 0; end = content.indexOf(lineFeed, start)) {
        const line = Buffer.concat([...pending.splice(0), content.subarray(start, end)]);
        whole += line.length + 1;
        start = end + 1;
        yield line;
      }
      if (start < content.length) pending.push(content.subarray(start));
    }
    // A killed process did not complete this line.
    if (pending.length > 0 && !endsWhole) yield Buffer.concat(pending);
    return whole;
  } finally {
    closeSync(file);
  }
}

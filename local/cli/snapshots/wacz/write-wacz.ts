import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { type PackedWarc, type WaczContents, waczZip } from "../../../../shared/snapshots/wacz/wacz-zip.ts";

/** Returns a complete WARC file, to be packed. @throws Error if the file does not exist */
export function packedFile(path: string): PackedWarc {
  return {
    name: basename(path),
    sizeBytes: statSync(path).size,
    content: (range) =>
      createReadStream(path, range && { start: range.offset, end: range.offset + range.length - 1 }),
  };
}

/** Writes a WACZ package. If an error occurs, no file is left. */
export async function writeWacz(path: string, contents: WaczContents): Promise<void> {
  const open = `${path}.open`;
  try {
    await pipeline(waczZip(contents), createWriteStream(open));
    renameSync(open, path);
  } catch (error) {
    rmSync(open, { force: true });
    throw error;
  }
}

import { renameSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { WarcFile } from "../../../../shared/snapshots/warc/warc-writer.ts";

/** The suffix of a file that is still being written. Readers of WARC files ignore such files. */
export const openSuffix = ".open";

/** The subfolder of a capture for large responses, until their records are written. */
export const spoolFolder = "spool";

/** Opens a WARC file in the folder of a capture. The file gets its final name when it is complete. */
export async function openWarc(folder: string, filename: string): Promise<WarcFile> {
  const path = join(folder, filename);
  const file = await open(path + openSuffix, "wx");
  return {
    append: (pieces) => appendAll(file, pieces),
    async close() {
      await file.close();
      renameSync(path + openSuffix, path);
    },
  };
}

/** The maximum number of buffers per call on most systems. */
const maxPieces = 1024;

async function appendAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < pieces.length; at += maxPieces) {
    const batch = pieces.slice(at, at + maxPieces);
    const { bytesWritten } = await file.writev(batch);
    const sizeBytes = batch.reduce((sum, { byteLength }) => sum + byteLength, 0);
    // A call may write fewer bytes than requested.
    if (bytesWritten < sizeBytes) await file.appendFile(Buffer.concat(batch).subarray(bytesWritten));
  }
}

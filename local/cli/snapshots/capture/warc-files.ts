import { renameSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { WarcFile } from "../../../../shared/snapshots/warc/warc-writer.ts";

/** A file that is still written. Readers of WARC files leave such files alone. */
export const openSuffix = ".open";

/** In the folder of a capture: large responses until their records are written. */
export const spoolFolder = "spool";

/** Opens a WARC file in the folder of a capture. It has its name when it is complete. */
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

/** Most systems take no more pieces in one call. */
const maxPieces = 1024;

async function appendAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < pieces.length; at += maxPieces) {
    const batch = pieces.slice(at, at + maxPieces);
    const { bytesWritten } = await file.writev(batch);
    const sizeBytes = batch.reduce((sum, { byteLength }) => sum + byteLength, 0);
    // A call may write less than it is given.
    if (bytesWritten < sizeBytes) await file.appendFile(Buffer.concat(batch).subarray(bytesWritten));
  }
}

import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { type WaczContents, waczZip } from "../../../../shared/snapshots/wacz/wacz-zip.ts";

/**
 * Writes a WACZ package. One that cannot be completed leaves no file.
 * @param contents its `warcs` are paths of complete WARC files
 */
export async function writeWacz(
  path: string,
  contents: Omit<WaczContents, "warcs"> & { warcs: readonly string[] },
): Promise<void> {
  const open = `${path}.open`;
  try {
    const warcs = contents.warcs.map((warc) => ({
      name: basename(warc),
      sizeBytes: statSync(warc).size,
      content: () => createReadStream(warc),
    }));
    await pipeline(waczZip({ ...contents, warcs }), createWriteStream(open));
    renameSync(open, path);
  } catch (error) {
    rmSync(open, { force: true });
    throw error;
  }
}

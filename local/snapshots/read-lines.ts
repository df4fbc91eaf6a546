import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type ArchiveRecord, archiveRecords } from "../../shared/snapshots/warc/archive-records.ts";

/** The bytes of a file, decompressed when it is gzip by its name. */
function openBytes(file: string): Readable {
  const bytes = createReadStream(file, { highWaterMark: 1024 * 1024 });
  if (!file.endsWith(".gz")) return bytes;
  const decompressed = createGunzip();
  bytes.on("error", (error) => decompressed.destroy(error));
  return bytes.pipe(decompressed);
}

/** The lines of a text file, or of a record. */
export function readLines(content: string | ArchiveRecord["content"]): AsyncIterable<string> {
  const input = typeof content === "string" ? openBytes(content) : Readable.from(content);
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** The records of a metadata file of NetarchiveSuite. */
export function readArchive(file: string): AsyncIterable<ArchiveRecord> {
  return archiveRecords(openBytes(file));
}

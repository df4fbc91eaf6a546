import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { BlockReader, type RandomAccessFile } from "./random-access.ts";
import { defaultZipLimits, EntryJudge, type ZipEntry, type ZipLimits } from "./zip-entry.ts";

/** An archive whose directory has been read. */
export interface ZipArchive {
  /** Files and refused entries, in the order of the directory; no folders. */
  entries: ZipEntry[];
  /**
   * Unpacks a file as a stream, and has it consumed. What the consumer has begun to store must not count before it has read
   * to the end: a wrong checksum shows there.
   */
  unpack<Result>(
    file: ZipFileEntry,
    consume: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Unpacked<Result>>;
}

export type ZipFileEntry = Extract<ZipEntry, { type: "file" }>;
type Unpacked<Result> = { type: "unpacked"; result: Result } | { type: "refused"; reason: string };

/**
 * Reads the directory of a zip archive. Its memory is that of the directory; contents are streamed.
 * @returns why the archive cannot be read, when its directory is damaged or too long
 */
export async function openZip(
  file: RandomAccessFile,
  limits: ZipLimits = defaultZipLimits,
): Promise<ZipArchive | { problem: string }> {
  let zip: ZipFile;
  try {
    // Names and sizes are checked here, so that a bad one refuses its entry only.
    const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
    zip = await fromRandomAccessReaderPromise(new BlockReader(file), file.sizeBytes, options);
  } catch (error) {
    return { problem: `it is not a readable zip archive: ${messageOf(error)}` };
  }
  if (zip.entryCount > limits.entries) return { problem: `it has more than ${limits.entries} entries` };
  const judge = new EntryJudge(limits);
  const entries: ZipEntry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const judged = judge.judge(entry);
      if (judged !== undefined) entries.push(judged);
    }
  } catch (error) {
    return { problem: `its directory is damaged: ${messageOf(error)}` };
  }
  return { entries, unpack: (entry, consume) => unpack(zip, entry, consume) };
}

/** What makes an entry unusable. Never leaves this module. */
class EntryProblem extends Error {}

async function unpack<Result>(
  zip: ZipFile,
  { entry, name }: ZipFileEntry,
  consume: (chunks: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Unpacked<Result>> {
  try {
    return { type: "unpacked", result: await consume(checkedContent(zip, entry, name)) };
  } catch (error) {
    if (error instanceof EntryProblem) return { type: "refused", reason: error.message };
    throw error;
  }
}

/** The content, as long as it is what the directory says. */
async function* checkedContent(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  let checksum = 0;
  for await (const chunk of packedContent(zip, entry)) {
    if (sizeBytes === 0 && isArchive(chunk, name)) throw new EntryProblem("it is a nested archive");
    sizeBytes += chunk.byteLength;
    if (sizeBytes > entry.uncompressedSize) {
      throw new EntryProblem(`it unpacks to more than the ${entry.uncompressedSize} bytes that it declares`);
    }
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (sizeBytes !== entry.uncompressedSize) {
    throw new EntryProblem(`it has ${sizeBytes} bytes instead of ${entry.uncompressedSize}`);
  }
  if (checksum !== entry.crc32) throw new EntryProblem("its checksum (CRC-32) is wrong");
}

async function* packedContent(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!header.fileName.equals(entry.fileNameRaw)) {
      throw new EntryProblem("the archive has another name at its position");
    }
    yield* await zip.openReadStreamPromise(entry);
  } catch (error) {
    if (error instanceof EntryProblem || isForeign(error)) throw error;
    throw new EntryProblem(`it cannot be unpacked: ${messageOf(error)}`);
  }
}

/** Errors of zlib have a code of zlib, those of yauzl none; a store's are not the entry's fault. */
function isForeign(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const isZlib = typeof code === "string" && code.startsWith("Z_");
  return !isZlib && (code !== undefined || name !== "Error");
}

/** Formats of documents that are packed as zip, by their extensions. */
const packedDocument = /\.(epub|docx|xlsx|pptx|odt|ods|odp|odg|kmz|idml|oxps|xps|cbz|ipynb)$/i;
const zipStarts = ["PK\x03\x04", "PK\x05\x06"];
const otherStarts = ["\x1f\x8b", "BZh", "7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07", "\xfd7zXZ\0"];

function isArchive(head: Uint8Array, name: string): boolean {
  const text = Buffer.from(head.subarray(0, 262)).toString("latin1");
  const startsWithOne = (starts: string[]) => starts.some((start) => text.startsWith(start));
  if (startsWithOne(zipStarts)) return !packedDocument.test(name);
  return startsWithOne(otherStarts) || text.slice(257) === "ustar";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

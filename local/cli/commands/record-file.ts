import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../../shared/core/errors.ts";
import { readIso2709 } from "../../../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../../../shared/marc/marcxml-reader.ts";
import type { ReadOutcome } from "../../../shared/marc/read-outcome.ts";
import { describeFileError } from "../../errors/describe-file-error.ts";

const chunkBytes = 1_048_576;

export interface RecordFile {
  sizeBytes: number;
  /** The reading progress. */
  bytesRead(): number;
  outcomes(): AsyncGenerator<ReadOutcome>;
  /** Closes the file. Call it also when reading stopped early. */
  close(): Promise<void>;
}

/**
 * Streams the records of a MARCXML or ISO 2709 file. The first bytes decide the format.
 * @throws InputError, with the argument as its field, when the file cannot be read or has another format
 */
export async function openRecordFile(argument: string, name: string): Promise<RecordFile> {
  const { file, sizeBytes, start } = await openAndPeek(name).catch((error: Error) => {
    throw new InputError(argument, name, describeFileError(error));
  });
  const encoding = detectWideEncoding(start);
  const read = encoding === undefined ? readerFor(start.toString()) : undefined;
  if (read === undefined) {
    await file.close();
    const problem =
      encoding === undefined
        ? "is neither MARCXML nor ISO 2709"
        : `the encoding ${encoding} is not read, only UTF-8`;
    throw new InputError(argument, name, problem);
  }
  const rest = file.createReadStream({ highWaterMark: chunkBytes });
  return {
    sizeBytes,
    bytesRead: () => start.byteLength + rest.bytesRead,
    outcomes: () => read(piecesOf(start, rest)),
    close: () => file.close(),
  };
}

/** The number of bytes read to detect the format. */
const startBytes = 64;

/** Opens a file and reads its first bytes. The file is opened once because a pipe cannot be read twice. */
async function openAndPeek(name: string): Promise<{ file: FileHandle; sizeBytes: number; start: Buffer }> {
  const file = await open(name);
  try {
    const { size: sizeBytes } = await file.stat();
    const start = Buffer.alloc(startBytes);
    let length = 0;
    for (let bytesRead = -1; bytesRead !== 0 && length < startBytes; length += bytesRead) {
      ({ bytesRead } = await file.read(start, length, startBytes - length));
    }
    return { file, sizeBytes, start: start.subarray(0, length) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* piecesOf(start: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  yield* rest;
}

/** ISO 2709 begins with the record length, XML with a `<`. */
function readerFor(start: string): typeof readMarcXml | undefined {
  if (/^\s*\d{5}/.test(start)) return readIso2709;
  return /^\ufeff?\s*</.test(start) ? readMarcXml : undefined;
}

/**
 * Detects UTF-16 and UTF-32 XML by the byte order mark or the first `<`.
 * @see https://www.w3.org/TR/xml/#sec-guessing
 */
function detectWideEncoding(start: Buffer): string | undefined {
  const first = start.subarray(0, 4).toString("hex");
  if (/^(?:fffe0000|0000feff|3c000000|0000003c)$/.test(first)) return "UTF-32";
  return /^(?:fffe|feff|3c00|003c)/.test(first) ? "UTF-16" : undefined;
}

import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../../shared/core/errors.ts";
import { readIso2709 } from "../../../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../../../shared/marc/marcxml-reader.ts";
import type { ReadOutcome } from "../../../shared/marc/read-outcome.ts";
import { beginsAsXml } from "../../../shared/xml/decode-xml.ts";
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
  const read = readerFor(start);
  if (read === undefined) {
    await file.close();
    throw new InputError(argument, name, "is neither MARCXML nor ISO 2709");
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
function readerFor(start: Uint8Array): typeof readMarcXml | undefined {
  if (/^\s*\d{5}/.test(Buffer.from(start).toString())) return readIso2709;
  return beginsAsXml(start) ? readMarcXml : undefined;
}

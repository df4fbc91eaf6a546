import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { InputError } from "../../shared/core/errors.ts";
import { readIso2709 } from "../../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../../shared/marc/marcxml-reader.ts";
import type { ReadOutcome } from "../../shared/marc/read-outcome.ts";

const chunkBytes = 1_048_576;

export interface RecordFile {
  sizeBytes: number;
  /** How far the reading has come. */
  bytesRead(): number;
  outcomes(): AsyncGenerator<ReadOutcome>;
}

/**
 * The records of a file in MARCXML or ISO 2709, whichever it begins with; read piece by piece.
 * @throws InputError, with the argument as its field, for a file that cannot be read or is neither
 */
export async function openRecordFile(argument: string, name: string): Promise<RecordFile> {
  const { sizeBytes, start } = await look(name).catch((error: Error) => {
    throw new InputError(argument, name, error.message);
  });
  const read = readerFor(start);
  if (read === undefined) throw new InputError(argument, name, "is neither MARCXML nor ISO 2709");
  const stream = createReadStream(name, { highWaterMark: chunkBytes });
  return { sizeBytes, bytesRead: () => stream.bytesRead, outcomes: () => read(stream) };
}

async function look(name: string): Promise<{ sizeBytes: number; start: string }> {
  const { size: sizeBytes } = await stat(name);
  const file = await open(name);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64);
    return { sizeBytes, start: buffer.toString("utf8", 0, bytesRead) };
  } finally {
    await file.close();
  }
}

/** A record in ISO 2709 begins with its length, XML with a `<`. */
function readerFor(start: string): typeof readMarcXml | undefined {
  if (/^\s*\d{5}/.test(start)) return readIso2709;
  return /^\ufeff?\s*</.test(start) ? readMarcXml : undefined;
}

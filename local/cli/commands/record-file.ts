import { InputError } from "../../../shared/core/errors.ts";
import { readIso2709 } from "../../../shared/marc/iso2709-reader.ts";
import { readMarcXml } from "../../../shared/marc/marcxml-reader.ts";
import type { ReadOutcome } from "../../../shared/marc/read-outcome.ts";
import { beginsAsXml } from "../../../shared/xml/decode-xml.ts";
import type { CommandIo } from "./command.ts";
import { type InputFile, openInput } from "./open-input.ts";

/** The number of bytes read to detect the format. */
const startBytes = 64;

export interface RecordFile extends Omit<InputFile, "chunks"> {
  outcomes(): AsyncGenerator<ReadOutcome>;
}

/**
 * Streams the records of a MARCXML or ISO 2709 file, or of standard input (`-`). The first bytes decide the format.
 * @throws InputError, with the argument as its field, when the file cannot be read or has another format
 */
export async function openRecordFile(
  argument: string,
  name: string,
  stdin: CommandIo["stdin"],
): Promise<RecordFile> {
  const { chunks, ...input } = await openInput(argument, name, stdin);
  const rest = chunks[Symbol.asyncIterator]();
  let start: Uint8Array = Buffer.alloc(0);
  for (let isEnd = false; !isEnd && start.length < startBytes; ) {
    const { done, value = Buffer.alloc(0) } = await rest.next();
    start = Buffer.concat([start, value]);
    isEnd = done === true;
  }
  const read = readerFor(start.subarray(0, startBytes));
  if (read === undefined) {
    await input.close();
    throw new InputError(argument, name, "is neither MARCXML nor ISO 2709");
  }
  return { ...input, outcomes: () => read(piecesOf(start, { [Symbol.asyncIterator]: () => rest })) };
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

import { decodeXml } from "../xml/decode-xml.ts";
import { MarcXmlReading } from "./marcxml-reading.ts";
import type { ByteChunks, ReadOutcome } from "./read-outcome.ts";

/**
 * Reads the records of a MARCXML document in UTF-8, UTF-16, ISO-8859-1 or windows-1252. The document is a collection or
 * a single record, or has either in the envelope of a protocol. Reading continues after a record that violates the
 * schema, has bytes that do not form characters, or is not well-formed.
 * @see https://www.loc.gov/standards/marcxml/
 */
export async function* readMarcXml(chunks: ByteChunks): AsyncGenerator<ReadOutcome> {
  const reading = new MarcXmlReading();
  for await (const piece of decodeXml(chunks)) {
    if (piece.type === "text") reading.write(piece.text);
    else if (piece.type === "invalid") reading.writeInvalid(`byte ${piece.byte} is not ${piece.encoding}`);
    else return yield { type: "broken", reason: unreadEncoding(piece.encoding) };
    yield* reading.ready.splice(0);
    if (reading.isOver) return;
  }
  reading.close();
  yield* reading.ready;
}

function unreadEncoding(name: string): string {
  return `the encoding ${name} is not read, only UTF-8, UTF-16, ISO-8859-1 and windows-1252`;
}

import { MarcXmlParser } from "./marcxml-parser.ts";
import type { ByteChunks, ReadOutcome } from "./read-outcome.ts";

/**
 * Reads the records of a MARCXML document in UTF-8: a collection, a single record, or either within the envelope of a
 * protocol. Reading continues after a record that breaks the schema, and ends where the XML is not well-formed.
 * @see https://www.loc.gov/standards/marcxml/
 */
export async function* readMarcXml(chunks: ByteChunks): AsyncGenerator<ReadOutcome> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parser = new MarcXmlParser();

  for await (const chunk of chunks) {
    const broken = attempt(parser, () => parser.write(decoder.decode(chunk, { stream: true })));
    for (const outcome of parser.ready.splice(0)) yield outcome;
    if (broken) return yield broken;
  }
  const broken = attempt(parser, () => {
    parser.write(decoder.decode());
    parser.close();
  });
  for (const outcome of parser.ready.splice(0)) yield outcome;
  if (broken) yield broken;
}

/** Runs the parser; an error of the parser means that the input is broken. */
function attempt(parser: MarcXmlParser, parse: () => void): ReadOutcome | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "the text is not UTF-8" : message;
    return { type: "broken", reason: `line ${parser.line}: ${problem.replace(/^\d+:\d+: /, "")}` };
  }
}

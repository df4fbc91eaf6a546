import { SaxesParser } from "saxes";
import { MarcXmlRecord } from "./marcxml-record.ts";
import type { Chunks, ReadOutcome } from "./read-outcome.ts";
import { marcXmlNamespace, XmlNames } from "./xml-names.ts";

/**
 * Reads the records of a MARCXML document in UTF-8, be it a collection, a single record, or a protocol's envelope around
 * them. A record that breaks the schema costs only itself; XML that is not well-formed ends the reading.
 * @see https://www.loc.gov/standards/marcxml/
 */
export async function* readMarcXml(chunks: Chunks): AsyncGenerator<ReadOutcome> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const ready: ReadOutcome[] = [];
  const parser = marcXmlParser(ready);

  for await (const chunk of chunks) {
    const broken = attempt(parser, () => parser.write(decoder.decode(chunk, { stream: true })));
    for (const outcome of ready.splice(0)) yield outcome;
    if (broken) return yield broken;
  }
  const broken = attempt(parser, () => parser.write(decoder.decode()).close());
  for (const outcome of ready.splice(0)) yield outcome;
  if (broken) yield broken;
}

/** Runs the parser; what it throws is the input's fault. */
function attempt(parser: SaxesParser, parse: () => void): ReadOutcome | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "the text is not UTF-8" : message;
    return { type: "broken", reason: `line ${parser.line}: ${problem.replace(/^\d+:\d+: /, "")}` };
  }
}

/** A parser that makes each record ready at its end tag and throws at what is not well-formed. */
function marcXmlParser(ready: ReadOutcome[]): SaxesParser {
  const parser = new SaxesParser();
  const names = new XmlNames();
  /** What the start tag that is being read declares. */
  const declared: [prefix: string, namespace: string][] = [];
  let depth = 0;
  let record: MarcXmlRecord | undefined;
  let recordDepth = 0;
  /** Of the record: its number in the document, and the line of its start tag. */
  let number = 0;
  let line = 0;
  let endsRecord = false;

  parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
    if (!/^(utf-?8|us-ascii)$/i.test(encoding))
      parser.fail(`the encoding ${encoding} is not read, only UTF-8`);
  });
  parser.on("attribute", ({ name, value }) => {
    // The attributes of a record's elements are shorter, and there are many.
    if (name.length > 4 && name.startsWith("xmlns")) declared.push([name.slice(6), value]);
  });
  parser.on("opentag", ({ name }) => {
    depth++;
    if (declared.length > 0) names.declare(depth, declared.splice(0));
    if (record !== undefined) return record.startTag();
    const kind = names.kindOf(name);
    if (kind === "record") {
      record = new MarcXmlRecord();
      recordDepth = depth;
      number++;
      line = parser.line;
    } else if (depth === 1 && kind === "other" && /^(.*:)?(collection|record)$/.test(name)) {
      parser.fail(`<${name}> is not in the namespace ${marcXmlNamespace}`);
    }
  });
  parser.on("text", (text) => record?.addText(text));
  parser.on("cdata", (text) => record?.addText(text));
  parser.on("closetag", ({ name, attributes }) => {
    endsRecord = false;
    if (record !== undefined && depth > recordDepth) {
      record.endTag(names.kindOf(name), depth - recordDepth, attributes);
    } else if (record !== undefined) {
      const result = record.finish();
      ready.push(
        typeof result === "string"
          ? { type: "malformed", reason: `record ${number} at line ${line}: ${result}` }
          : { type: "record", record: result },
      );
      record = undefined;
      endsRecord = true;
    }
    names.leave(depth);
    depth--;
  });
  parser.on("error", (error) => {
    // At a wrong end tag the parser first ends the element that is open: such a record is not a whole one.
    if (endsRecord && error.message.endsWith("unexpected close tag.")) ready.pop();
    throw error;
  });
  return parser;
}

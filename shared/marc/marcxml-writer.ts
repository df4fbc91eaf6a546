import { InputError } from "../core/errors.ts";
import { controlFieldValue } from "./fields.ts";
import { replaceIllegalCharacters } from "./legal-text.ts";
import { marcXmlNamespace } from "./marcxml-names.ts";
import type { MarcRecord } from "./record.ts";
import { findStructureProblem } from "./record-structure.ts";
import { asciiTable, Utf8Writer } from "./utf8-writer.ts";

const header = `<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="${marcXmlNamespace}">\n`;
const footer = "</collection>\n";
const chunkBytes = 65_536;

/**
 * Writes a whole collection in UTF-8, valid against the MARC21slim schema.
 * @throws {InputError} when a record does not fit the structure of MARC-21
 * @see https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd
 */
export function writeMarcXml(records: Iterable<MarcRecord>): Uint8Array {
  const collection = new MarcXmlCollection();
  const chunks: Uint8Array[] = [];
  for (const record of records) {
    const chunk = collection.add(record);
    if (chunk !== undefined) chunks.push(chunk);
  }
  return Buffer.concat([...chunks, collection.end()]);
}

/** Writes the same bytes as `writeMarcXml`, in chunks. @throws {InputError} like `writeMarcXml` */
export async function* streamMarcXml(
  records: AsyncIterable<MarcRecord> | Iterable<MarcRecord>,
): AsyncGenerator<Uint8Array> {
  const collection = new MarcXmlCollection();
  for await (const record of records) {
    const chunk = collection.add(record);
    if (chunk !== undefined) yield chunk;
  }
  yield collection.end();
}

/** Writes the same bytes as `writeMarcXml`, for callers that add records one by one. */
export class MarcXmlCollection {
  private readonly xml = new Utf8Writer();

  constructor() {
    this.xml.ascii(header);
  }

  /**
   * Adds a record.
   * @returns a chunk, as soon as there is enough data for one
   * @throws {InputError} like `writeMarcXml`
   */
  add(record: MarcRecord): Uint8Array | undefined {
    writeRecord(this.xml, record);
    return this.xml.length >= chunkBytes ? this.xml.take() : undefined;
  }

  /** Returns the data that `add` has not returned. */
  take(): Uint8Array {
    return this.xml.take();
  }

  end(): Uint8Array {
    this.xml.ascii(footer);
    return this.xml.take();
  }
}

/**
 * Writes one record as an element that declares its namespace, for a document of another format.
 * @throws {InputError} like `writeMarcXml`
 */
export function writeMarcXmlElement(record: MarcRecord): string {
  const xml = new Utf8Writer();
  writeRecord(xml, record);
  return Buffer.from(xml.take()).toString().replace("<record>", `<record xmlns="${marcXmlNamespace}">`);
}

function writeRecord(xml: Utf8Writer, record: MarcRecord): void {
  const problem = findStructureProblem(record);
  if (problem !== undefined) throw new InputError("record", controlFieldValue(record, "001"), problem);

  xml.bytes(markup.record);
  xml.ascii(record.leader);
  xml.bytes(markup.leaderEnd);
  for (const [tag, value] of record.control) {
    xml.bytes(markup.controlField);
    xml.ascii(tag);
    xml.bytes(markup.tagEnd);
    writeValue(xml, value);
    xml.bytes(markup.controlFieldEnd);
  }
  // Destructuring the many small tuples would take an additional fifth of the time.
  for (const field of record.fields) {
    xml.bytes(markup.dataField);
    xml.ascii(field[0]);
    xml.bytes(markup.ind1);
    xml.ascii(field[1].charAt(0));
    xml.bytes(markup.ind2);
    xml.ascii(field[1].charAt(1));
    xml.bytes(markup.tagEnd);
    xml.bytes(markup.lineEnd);
    for (const subfield of field[2]) {
      xml.bytes(subfieldTag(subfield[0]));
      writeValue(xml, subfield[1]);
      xml.bytes(markup.subfieldEnd);
    }
    xml.bytes(markup.dataFieldEnd);
  }
  xml.bytes(markup.recordEnd);
}

const markup = {
  record: Buffer.from("<record>\n  <leader>"),
  leaderEnd: Buffer.from("</leader>\n"),
  controlField: Buffer.from('  <controlfield tag="'),
  controlFieldEnd: Buffer.from("</controlfield>\n"),
  dataField: Buffer.from('  <datafield tag="'),
  ind1: Buffer.from('" ind1="'),
  ind2: Buffer.from('" ind2="'),
  tagEnd: Buffer.from('">'),
  lineEnd: Buffer.from("\n"),
  subfieldEnd: Buffer.from("</subfield>\n"),
  dataFieldEnd: Buffer.from("  </datafield>\n"),
  recordEnd: Buffer.from("</record>\n"),
};

/** A carriage return is written as a reference, because XML readers convert a bare one to a line feed. */
const references: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#xD;",
};
const special = asciiTable(Object.keys(references));

function writeValue(xml: Utf8Writer, value: string): void {
  if (!xml.plain(value, special)) xml.text(escapeXml(replaceIllegalCharacters(value)));
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, (character) => references[character] ?? character);
}

/** Returns the start tag of a subfield. The tags are cached by code. */
function subfieldTag(code: string): Uint8Array {
  const character = code.charCodeAt(0);
  subfieldTags[character] ??= Buffer.from(`    <subfield code="${escapeXml(code)}">`);
  return subfieldTags[character];
}

const subfieldTags: Uint8Array[] = [];

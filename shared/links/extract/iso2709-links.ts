import { iso2709 } from "../../marc/iso2709.ts";
import { LinkGatherer, type LinkReading } from "./found-link.ts";

const fieldEnd = 0x1e;

/**
 * Reads the electronic locations (856 $u) of records in ISO 2709. Only the directory and the delimiters are read.
 * Addresses are ASCII, so they can be read even from records that are in MARC-8 or have faults elsewhere.
 * @see https://www.loc.gov/marc/specifications/specrecstruc.html
 */
export function readIso2709Links(bytes: Uint8Array): LinkReading {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const links = new LinkGatherer();
  let number = 0;
  let line = 1;
  let lineStart = 0;
  let counted = 0;
  const placeOf = (offset: number) => {
    for (
      let at = buffer.indexOf("\n", counted);
      at !== -1 && at < offset;
      at = buffer.indexOf("\n", at + 1)
    ) {
      line++;
      lineStart = at + 1;
    }
    counted = Math.max(counted, lineStart);
    return { line, column: offset - lineStart + 1 };
  };
  for (let start = 0; start < buffer.length; ) {
    const end = buffer.indexOf(iso2709.recordTerminator, start);
    if (end === -1) break;
    number++;
    const fields = fieldsOf(buffer.subarray(start, end));
    const record = fields.find(({ tag }) => tag === "001")?.text.trim() || String(number);
    for (const { tag, text, offset } of fields) {
      if (tag !== "856") continue;
      for (const { value, at } of locationsIn(text)) {
        links.add(value, { ...placeOf(start + offset + at), record }, undefined);
      }
    }
    start = end + 1;
  }
  if (number === 0) return { type: "unreadable", detail: "has no ISO 2709 record" };
  return links.finish();
}

interface RawField {
  tag: string;
  text: string;
  /** The offset from the start of the record. */
  offset: number;
}

/** Returns the fields in the order of the directory. Line breaks before the leader are skipped. */
function fieldsOf(record: Buffer): RawField[] {
  const raw = record.toString("latin1");
  const start = /^[\r\n]*/.exec(raw)?.[0].length ?? 0;
  const directoryEnd = raw.indexOf("\x1e", start + iso2709.leaderBytes);
  if (directoryEnd === -1) return [];
  const fields: RawField[] = [];
  let offset = directoryEnd + 1;
  for (let entry = start + iso2709.leaderBytes; entry < directoryEnd; entry += iso2709.directoryEntryBytes) {
    const [, tag = "", , from = ""] = /^(\w{3})(\d{4})(\d{5})/.exec(raw.slice(entry, entry + 12)) ?? [];
    if (tag === "") break;
    offset = directoryEnd + 1 + Number(from);
    const end = record.indexOf(fieldEnd, offset);
    fields.push({ tag, offset, text: record.toString("utf8", offset, end === -1 ? record.length : end) });
  }
  return fields;
}

/** Returns the values of the subfields $u of a field, each with its offset in the field. */
function locationsIn(field: string): { value: string; at: number }[] {
  const found: { value: string; at: number }[] = [];
  let at = 0;
  for (const part of field.split("\x1f")) {
    if (at > 0 && part.startsWith("u")) found.push({ value: part.slice(1), at: at + 1 });
    at += part.length + 1;
  }
  return found;
}

import { isAscii, isUtf8 } from "node:buffer";
import { iso2709 } from "./iso2709.ts";
import type { ByteChunks, ReadOutcome } from "./read-outcome.ts";
import type { DataField, MarcRecord, Subfield } from "./record.ts";
import { findStructureProblem } from "./record-structure.ts";

/**
 * Reads records in ISO 2709 one after the other. After a malformed record, reading continues behind its record
 * terminator. Line breaks between records, which editors and some exports add, are skipped, and so is a byte order mark at the
 * beginning.
 * @see https://www.loc.gov/marc/specifications/specrecstruc.html
 */
export async function* readIso2709(chunks: ByteChunks): AsyncGenerator<ReadOutcome> {
  let rest: Buffer = Buffer.alloc(0);
  let restAt = 0;
  let number = 0;
  let skipping = false;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk]);
    const isMarked = restAt === 0 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    let start = isMarked ? byteOrderMark.length : 0;
    for (;;) {
      if (!skipping) start = afterLineBreaks(bytes, start);
      const end = bytes.indexOf(iso2709.recordTerminator, start) + 1;
      if (end === 0) break;
      if (skipping) skipping = false;
      else yield addLocation(parseIso2709(bytes.subarray(start, end)), ++number, restAt + start);
      start = end;
    }
    rest = bytes.subarray(start);
    restAt += start;
    if (skipping || rest.length > iso2709.maxRecordBytes) {
      if (!skipping) yield addLocation(unterminatedRecord, ++number, restAt);
      skipping = true;
      restAt += rest.length;
      rest = rest.subarray(rest.length);
    }
  }
  if (rest.length > 0) yield addLocation(truncatedRecord, ++number, restAt);
}

const byteOrderMark = Buffer.from("\ufeff");

/** Parses one record, from its leader to its record terminator. */
export function parseIso2709(bytes: Uint8Array): Parsed {
  const buffer = asBuffer(bytes);
  // One character per byte keeps the positions of the directory valid. Values beyond ASCII are decoded from the bytes.
  const raw = buffer.toString("latin1");
  const leader = raw.slice(0, iso2709.leaderBytes);
  const ascii = isAscii(buffer);
  const problem = findLeaderProblem(raw) ?? findEncodingProblem(buffer, { ascii, scheme: leader.charAt(9) });
  if (problem !== undefined) return malformed(problem);

  const base = numberAt(raw, 12, 5);
  const record: MarcRecord = { leader, control: [], fields: [] };
  for (let entry = iso2709.leaderBytes; entry < base - 1; entry += iso2709.directoryEntryBytes) {
    const tag = raw.slice(entry, entry + 3);
    const start = base + numberAt(raw, entry + 7, 5);
    const end = start + numberAt(raw, entry + 3, 4) - 1;
    if (!(start <= end && start >= base && end < raw.length - 1 && raw.indexOf("\x1E", start) === end)) {
      return malformed(`the directory's entry for field ${tag} does not lead to a field`);
    }
    const field = raw.slice(start, end);
    const value = ascii || !beyondAscii.test(field) ? field : buffer.toString("utf8", start, end);
    if (tag.startsWith("00")) record.control.push([tag, value]);
    else record.fields.push(parseDataField(tag, value));
  }
  const structure = findStructureProblem(record);
  return structure === undefined ? { type: "record", record } : malformed(structure);
}

type Parsed = Extract<ReadOutcome, { type: "record" | "malformed" }>;

const beyondAscii = /[\u0080-\u00FF]/;
const malformed = (reason: string): Parsed => ({ type: "malformed", reason });
const unterminatedRecord = malformed(`there is no record terminator within ${iso2709.maxRecordBytes} bytes`);
const truncatedRecord = malformed("the input ends inside the record");

function addLocation(parsed: Parsed, number: number, byte: number): ReadOutcome {
  return parsed.type === "record" ? parsed : malformed(`record ${number} at byte ${byte}: ${parsed.reason}`);
}

function findLeaderProblem(raw: string): string | undefined {
  if (raw.length <= iso2709.leaderBytes) return `a record of ${raw.length} bytes has no leader and directory`;
  const length = numberAt(raw, 0, 5);
  if (length !== raw.length)
    return `the leader says "${raw.slice(0, 5)}" bytes, but the record has ${raw.length}`;
  if (raw.slice(10, 12) !== "22") return `indicators and subfield codes of "${raw.slice(10, 12)}" characters`;
  const base = numberAt(raw, 12, 5);
  const directoryBytes = base - 1 - iso2709.leaderBytes;
  const isDirectory =
    directoryBytes >= 0 &&
    directoryBytes % iso2709.directoryEntryBytes === 0 &&
    raw.indexOf("\x1E", iso2709.leaderBytes) === base - 1;
  return isDirectory ? undefined : `the base address "${raw.slice(12, 17)}" does not follow a directory`;
}

function findEncodingProblem(buffer: Buffer, record: { ascii: boolean; scheme: string }): string | undefined {
  if (record.scheme === "a") return record.ascii || isUtf8(buffer) ? undefined : "the text is not UTF-8";
  // MARC-8 and UTF-8 agree on ASCII. Other MARC-8 text would be read as wrong characters, so it is refused.
  if (record.ascii && !buffer.includes(iso2709.escape)) return undefined;
  return `the text is in MARC-8 (leader/09 is "${record.scheme}"); only UTF-8 is read`;
}

function parseDataField(tag: string, text: string): DataField {
  const subfields: Subfield[] = [];
  const first = text.indexOf("\x1F");
  // Searching by index takes half the time of splitting.
  for (let at = first; at !== -1; ) {
    const next = text.indexOf("\x1F", at + 1);
    subfields.push([text.charAt(at + 1), text.slice(at + 2, next === -1 ? undefined : next)]);
    at = next;
  }
  return [tag, first === -1 ? text : text.slice(0, first), subfields];
}

/** The number in `length` digits at `start`; NaN when they are not all digits. */
function numberAt(raw: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at++) {
    const digit = raw.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function afterLineBreaks(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  return at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

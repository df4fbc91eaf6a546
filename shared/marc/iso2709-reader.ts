import { isAscii, isUtf8 } from "node:buffer";
import { pluralize } from "../core/pluralize.ts";
import { findInvalidUtf8 } from "../core/utf8.ts";
import { iso2709 } from "./iso2709.ts";
import { decodeMarc8 } from "./marc8/decode-marc8.ts";
import type { ByteChunks, ReadOutcome } from "./read-outcome.ts";
import type { DataField, MarcRecord, Subfield } from "./record.ts";
import { findStructureProblem } from "./record-structure.ts";

/**
 * Reads records in ISO 2709, in UTF-8 or MARC-8. After a malformed record, reading continues after its record
 * terminator. A record whose terminator is missing ends where the next leader begins. A byte order mark at the
 * beginning, and white space and Ctrl-Z between records, which editors and some exports add, are skipped. Other bytes
 * before a record are skipped and reported.
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
      if (!skipping) start = afterBlanks(bytes, start);
      const end = bytes.indexOf(iso2709.recordTerminator, start) + 1;
      if (end === 0) break;
      if (skipping) skipping = false;
      else
        for (const { parsed, at } of parseUpToTerminator(bytes.subarray(start, end))) {
          if (parsed.type === "junk") yield skippedBytes(parsed.bytes, restAt + start + at);
          else yield addLocation(parsed, ++number, restAt + start + at);
        }
      start = end;
    }
    rest = bytes.subarray(start);
    restAt += start;
    if (skipping || rest.length > iso2709.maxRecordBytes) {
      if (!skipping) yield addLocation(malformed(unterminated, rest), ++number, restAt);
      skipping = true;
      restAt += rest.length;
      rest = rest.subarray(rest.length);
    }
  }
  if (rest.length === 0 && !skipping) return;
  if (!skipping) yield addLocation(malformed("the input ends inside the record", rest), ++number, restAt);
  yield { type: "broken", reason: `the input ends inside record ${number}` };
}

const fieldTerminator = 0x1e;
const byteOrderMark = Buffer.from("\ufeff");
const unterminated = `there is no record terminator within ${iso2709.maxRecordBytes} bytes`;

/** The leader of a record. */
const nextLeader = /\d{5}[a-z][a-z][a-z ].[ a]22\d{5}.{3}4500/gs;

/** A record, or the number of bytes before a record that do not belong to one. */
type Part = { parsed: Parsed | { type: "junk"; bytes: number }; at: number };

/**
 * Parses the records up to a terminator. There are several only if terminators are missing: then the next leader
 * directly follows the end of a field, or the last record is whole.
 */
function parseUpToTerminator(bytes: Buffer): Part[] {
  const parsed = parseIso2709(bytes);
  if (parsed.type === "record") return [{ parsed, at: 0 }];
  const leaders = [...bytes.toString("latin1").matchAll(nextLeader)].map(({ index }) => index);
  const last = leaders.at(-1) ?? 0;
  const lastParsed = last === 0 ? parsed : parseIso2709(bytes.subarray(last));
  const isStart = (at: number) =>
    at > 0 && (bytes[at - 1] === fieldTerminator || (at === last && lastParsed.type === "record"));
  const starts = leaders.filter(isStart);
  if (starts.length === 0) return [{ parsed, at: 0 }];
  return [0, ...starts].map((at, place): Part => {
    const part = bytes.subarray(at, starts[place]);
    if (place === starts.length) return { parsed: at === last ? lastParsed : parseIso2709(part), at };
    const isJunk = !part.includes(fieldTerminator);
    return {
      parsed: isJunk ? { type: "junk", bytes: part.length } : malformed("it has no record terminator", part),
      at,
    };
  });
}

function skippedBytes(bytes: number, at: number): ReadOutcome {
  return {
    type: "broken",
    reason: `${pluralize(bytes, "byte")} at byte ${at} do not belong to a record and were skipped`,
  };
}

/** Parses one record, from its leader to its record terminator. */
export function parseIso2709(bytes: Uint8Array): Parsed {
  const buffer = asBuffer(bytes);
  // With one character per byte, the positions in the directory remain valid. Values beyond ASCII are decoded from the
  // bytes.
  const raw = buffer.toString("latin1");
  const ascii = isAscii(buffer);
  const encoding = ascii && !buffer.includes(iso2709.escape) ? "ascii" : encodingOf(buffer, raw.charAt(9));
  const problem = findLeaderProblem(raw) ?? (encoding === "utf8" ? findUtf8Problem(buffer) : undefined);
  if (problem !== undefined) return malformed(problem, buffer);

  const base = numberAt(raw, 12, 5);
  const leader = raw.slice(0, iso2709.leaderBytes);
  // The text of the record is now Unicode, so the leader is changed accordingly.
  const isDecoded = encoding === "marc8";
  const record: MarcRecord = {
    leader: isDecoded ? `${leader.slice(0, 9)}a${leader.slice(10)}` : leader,
    control: [],
    fields: [],
  };
  for (let entry = iso2709.leaderBytes; entry < base - 1; entry += iso2709.directoryEntryBytes) {
    const tag = raw.slice(entry, entry + 3);
    const start = base + numberAt(raw, entry + 7, 5);
    const end = start + numberAt(raw, entry + 3, 4) - 1;
    if (!(start <= end && start >= base && end < raw.length - 1 && raw.indexOf("\x1E", start) === end)) {
      return malformed(`the directory's entry for field ${tag} does not lead to a field`, buffer);
    }
    const field = raw.slice(start, end);
    const value =
      encoding !== "utf8" || !beyondAscii.test(field) ? field : buffer.toString("utf8", start, end);
    const decoded = isDecoded ? decodeField(value) : { type: "text" as const, text: value };
    if (decoded.type === "refused")
      return malformed(`field ${tag}: ${decoded.reason} (byte ${start + decoded.at} of the record)`, buffer);
    if (tag.startsWith("00")) record.control.push([tag, decoded.text]);
    else record.fields.push(parseDataField(tag, decoded.text));
  }
  const structure = findStructureProblem(record);
  return structure === undefined ? { type: "record", record } : malformed(structure, buffer);
}

/** A record, or one that cannot be used. The caller counts the records and sets the number. */
type Parsed = Extract<ReadOutcome, { type: "record" | "malformed" }>;

const beyondAscii = /[\u0080-\u00FF]/;

function malformed(reason: string, bytes: Buffer): Parsed {
  const controlNumber = controlNumberIn(bytes.toString("latin1"));
  return { type: "malformed", number: 1, ...(controlNumber !== undefined && { controlNumber }), reason };
}

/**
 * Returns the value of field 001. If there is a field 001, it is the first field, even if lengths and addresses are
 * wrong.
 */
function controlNumberIn(raw: string): string | undefined {
  const directoryEnd = raw.indexOf("\x1E");
  if (raw.slice(iso2709.leaderBytes, iso2709.leaderBytes + 3) !== "001" || directoryEnd === -1)
    return undefined;
  const value = raw.slice(directoryEnd + 1, raw.indexOf("\x1E", directoryEnd + 1)).trim();
  return /^[!-~][ -~]{0,99}$/.test(value) ? value : undefined;
}

function addLocation(parsed: Parsed, number: number, byte: number): ReadOutcome {
  if (parsed.type === "record") return parsed;
  return { ...parsed, number, reason: `record ${number} at byte ${byte}: ${parsed.reason}` };
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

/**
 * Returns the encoding of a record that is not ASCII. UTF-8 without a declaration is frequent. Read as MARC-8, its
 * bytes would be pairs of special characters that do not occur in any text.
 */
function encodingOf(buffer: Buffer, scheme: string): "utf8" | "marc8" {
  if (scheme === "a") return "utf8";
  return !buffer.includes(iso2709.escape) && isUtf8(buffer) ? "utf8" : "marc8";
}

function findUtf8Problem(buffer: Buffer): string | undefined {
  const invalid = findInvalidUtf8(buffer);
  return invalid < 0 ? undefined : `the text is not UTF-8 (byte ${invalid} of the record)`;
}

/** Decodes each subfield of a field in MARC-8 separately. */
function decodeField(field: string): ReturnType<typeof decodeMarc8> {
  const texts: string[] = [];
  let at = 0;
  for (const part of field.split("\x1F")) {
    const decoded = decodeMarc8(part);
    if (decoded.type === "refused") return { ...decoded, at: at + decoded.at };
    texts.push(decoded.text);
    at += part.length + 1;
  }
  return { type: "text", text: texts.join("\x1F") };
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

/** Returns the number in `length` digits at `start`; NaN when a character is not a digit. */
function numberAt(raw: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at++) {
    const digit = raw.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** White space and Ctrl-Z, which ends files of some systems. */
const blanks: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x1a, 0x20]);

function afterBlanks(bytes: Buffer, start: number): number {
  let at = start;
  while (blanks.has(bytes[at])) at++;
  return at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

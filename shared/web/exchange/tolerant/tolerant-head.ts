import { parseFieldLines } from "./field-lines.ts";
import { type Framing, framingOf } from "./framing.ts";

/** The head of a response that breaks the rules of HTTP, as browsers read such a head. */
export interface TolerantHead {
  status: number;
  /** Names are in lower case. The values of a repeated header are in an array. */
  headers: Record<string, string | string[]>;
  /** How the end of the body is recognised; with `ambiguous`, why it is uncertain. */
  framing: Framing | { type: "ambiguous"; detail: string };
  /** The rules that the head breaks, for people. */
  warnings: string[];
}

/**
 * `incomplete`: more bytes are needed. `invalid`: the bytes cannot be read safely, or are not HTTP; `detail` is for
 * people.
 */
type HeadReading =
  | { type: "head"; head: TolerantHead; lengthBytes: number }
  | { type: "incomplete" }
  | { type: "invalid"; detail: string };

const lf = 0x0a;

/** Old audio streams send `ICY` instead of HTTP/1.0. */
const statusLine = /^(HTTP\/1\.\d|HTTP\/2(?:\.0)?|ICY)[ \t]+(\d{3})(?:[ \t]+.*)?$/is;
const prefixes = ["http/", "icy "];

/**
 * Reads the head at the beginning of a response. Lines that end with LF, folded lines, control characters, lines
 * without a name, and repeated Content-Lengths with the same value are accepted with a warning. If the end of the
 * response could be read in two ways, or a header contains NUL, the framing is ambiguous: status and headers are valid,
 * and the body cannot be read. A response is invalid if a line contains CR. HTTP/0.9 is invalid, because whatever else
 * listens on the port looks the same.
 * @param bytes from the first byte of the response
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-2.2
 */
export function readTolerantHead(bytes: Uint8Array, method: string): HeadReading {
  const wire = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = firstNonBlank(wire);
  if (!mayBeHttp(wire.subarray(start, start + 5))) return invalid("it does not begin with a status line");
  const end = endOfHead(wire, start);
  if (end === undefined) return { type: "incomplete" };
  return readLines(wire.toString("latin1", start, end), { method, lengthBytes: end });
}

function readLines(text: string, given: { method: string; lengthBytes: number }): HeadReading {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.some((line) => line.includes("\r")))
    return invalid("a header has a carriage return within a line");
  const warnings = /(^|[^\r])\n/.test(text) ? ["lines end with LF"] : [];
  const [first = "", ...rest] = lines;
  const [, version = "", digits = ""] = statusLine.exec(first) ?? [];
  const status = Number(digits);
  if (version === "" || status < 100) return invalid("it has no valid status line");
  if (!/^HTTP\/1\.[01]$/.test(version)) warnings.push(`the version is ${version}`);
  const { headers, fault, warnings: faults } = parseFieldLines(rest);
  const reading =
    fault === undefined
      ? framingOf(headers, { status, method: given.method })
      : { type: "ambiguous" as const, detail: fault };
  const framing = reading.type === "framed" ? reading.framing : reading;
  const repeated = reading.type === "framed" && reading.warning !== undefined ? [reading.warning] : [];
  const head = { status, headers, framing, warnings: [...warnings, ...faults, ...repeated] };
  return { type: "head", head, lengthBytes: given.lengthBytes };
}

/** Returns the index at which the first line begins. A few hosts send blank lines before it. */
function firstNonBlank(wire: Buffer): number {
  let at = 0;
  while (wire[at] === lf || wire[at] === 0x0d) at++;
  return at;
}

function mayBeHttp(start: Buffer): boolean {
  const begun = start.toString("latin1").toLowerCase();
  return prefixes.some((prefix) => prefix.startsWith(begun) || begun.startsWith(prefix));
}

/**
 * Returns the index after the blank line.
 * @returns undefined when the blank line has not arrived
 */
function endOfHead(wire: Buffer, start: number): number | undefined {
  for (let at = wire.indexOf(lf, start); at !== -1; at = wire.indexOf(lf, at + 1)) {
    const next = wire[at + 1] === 0x0d ? at + 2 : at + 1;
    if (wire[next] === lf) return next + 1;
  }
  return undefined;
}

function invalid(detail: string): { type: "invalid"; detail: string } {
  return { type: "invalid", detail };
}

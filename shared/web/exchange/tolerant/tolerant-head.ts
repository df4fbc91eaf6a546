import { parseFieldLines } from "./field-lines.ts";
import { type Framing, framingOf } from "./framing.ts";

/** The head of a response that breaks the rules of HTTP, as browsers read it. */
export interface TolerantHead {
  status: number;
  /** Names in lower case; the values of repeated headers in an array. */
  headers: Record<string, string | string[]>;
  framing: Framing;
  /** What is wrong with it, for people. */
  warnings: string[];
}

/** `incomplete`: more bytes are needed. `invalid`: it cannot be read safely, or is not HTTP; `detail` for people. */
type HeadReading =
  | { type: "head"; head: TolerantHead; lengthBytes: number }
  | { type: "incomplete" }
  | { type: "invalid"; detail: string };

const lf = 0x0a;

/** `ICY` is what old audio streams say instead of HTTP/1.0. */
const statusLine = /^(HTTP\/1\.\d|HTTP\/2(?:\.0)?|ICY)[ \t]+(\d{3})(?:[ \t]+.*)?$/is;
const prefixes = ["http/", "icy "];

/**
 * Reads the head at the beginning of a response: lines that end in LF, folded lines, control characters, lines without
 * a name, and a repeated equal Content-Length are accepted with a warning. An answer whose end could be read in two
 * ways is invalid, and so are NUL and CR within a line. HTTP/0.9 is invalid, because whatever else listens on the port
 * looks the same.
 * @param bytes from the first byte of the response
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-2.2
 */
export function readTolerantHead(bytes: Uint8Array, method: string): HeadReading {
  const wire = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = firstNonBlank(wire);
  if (!mayBeHttp(wire.subarray(start, start + 5))) return invalid("it does not begin with a status line");
  const end = endOfHead(wire, start);
  const text = wire.toString("latin1", start, end);
  if (text.includes("\0")) return invalid("a header has a zero byte");
  if (end === undefined) return { type: "incomplete" };
  return readLines(text, { method, lengthBytes: end });
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
  const fields = parseFieldLines(rest);
  if (fields.type === "invalid") return fields;
  const framing = framingOf(fields.headers, { status, method: given.method });
  if (framing.type === "invalid") return framing;
  warnings.push(...fields.warnings, ...(framing.warning === undefined ? [] : [framing.warning]));
  const head = { status, headers: fields.headers, framing: framing.framing, warnings };
  return { type: "head", head, lengthBytes: given.lengthBytes };
}

/** Where the first line begins: a few hosts send blank lines first. */
function firstNonBlank(wire: Buffer): number {
  let at = 0;
  while (wire[at] === lf || wire[at] === 0x0d) at++;
  return at;
}

function mayBeHttp(start: Buffer): boolean {
  const begun = start.toString("latin1").toLowerCase();
  return prefixes.some((prefix) => prefix.startsWith(begun) || begun.startsWith(prefix));
}

/** The index after the blank line; undefined when it has not arrived. */
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

import { isUtf8 } from "node:buffer";

/** The text of UTF-8 bytes without a byte order mark, or the number (from 1) of the first line that is not UTF-8. */
type Utf8Reading = { type: "text"; text: string } | { type: "not-utf8"; line: number };

export function readUtf8(bytes: Uint8Array): Utf8Reading {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return { type: "text", text: buffer.toString("utf8").replace(/^\ufeff/, "") };
  return { type: "not-utf8", line: firstBadLine(buffer) };
}

function firstBadLine(bytes: Buffer): number {
  let number = 1;
  for (let start = 0; start < bytes.length; number++) {
    const end = bytes.indexOf("\n", start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) break;
    start = next;
  }
  return number;
}

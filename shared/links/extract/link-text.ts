import { isUtf8 } from "node:buffer";

/** UTF-8 text, with the byte order mark removed. `detail` continues a sentence about the file. */
type LinkText = { type: "text"; text: string } | { type: "unreadable"; detail: string };

export function decodeLinkText(bytes: Uint8Array): LinkText {
  if (bytes.includes(0)) return { type: "unreadable", detail: "is no text: it has zero bytes" };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(buffer)) return { type: "text", text: buffer.toString("utf8").replace(/^\ufeff/, "") };
  return { type: "unreadable", detail: `line ${firstBadLine(buffer)} is not UTF-8` };
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

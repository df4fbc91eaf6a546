import { readUtf8 } from "../../core/utf8-lines.ts";

/** UTF-8 text without the byte order mark. `detail` is a predicate whose subject is the file, such as "is not text". */
type LinkText = { type: "text"; text: string } | { type: "unreadable"; detail: string };

export function decodeLinkText(bytes: Uint8Array): LinkText {
  if (bytes.includes(0)) return { type: "unreadable", detail: "is not text: it has zero bytes" };
  const reading = readUtf8(bytes);
  if (reading.type === "text") return reading;
  return { type: "unreadable", detail: `line ${reading.line} is not UTF-8` };
}

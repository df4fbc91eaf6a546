import { isUtf8 } from "node:buffer";

/** Functions that decode feeds, articles and checked pages. @see https://encoding.spec.whatwg.org/ */

const startBytes = 1024;

/** Returns the first bytes, by default 1024, in which an encoding may be declared. Each byte becomes one character. */
export function startOf(bytes: Uint8Array, most = startBytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, most)).toString("latin1");
}

/**
 * Returns the encoding that is recognised by a byte order mark, or by the zero bytes of UTF-16 around the first `<`.
 * @param start the result of `startOf`
 */
export function markedEncoding(start: string): string | undefined {
  if (start.startsWith("\xef\xbb\xbf")) return "utf-8";
  if (start.startsWith("\xff\xfe") || start.startsWith("<\0")) return "utf-16le";
  if (start.startsWith("\xfe\xff") || start.startsWith("\0<")) return "utf-16be";
  return undefined;
}

/** Decodes bytes in the encoding that `markedEncoding` finds, or otherwise in UTF-8. A byte order mark is removed. */
export function decodeMarked(bytes: Uint8Array): string {
  return new TextDecoder(markedEncoding(startOf(bytes)) ?? "utf-8").decode(bytes);
}

/** Returns the label of the charset in a Content-Type. Some servers omit the semicolon before the charset. */
export function charsetIn(contentType: string | undefined): string | undefined {
  return /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType ?? "")?.[1];
}

/** Returns the encoding that the XML declaration of a page names. */
export function xmlDeclaredIn(start: string): string | undefined {
  return /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)/.exec(start)?.[1];
}

/**
 * Decodes bytes. An incomplete character at the end is dropped.
 * @returns undefined when the encoding is unknown, or the bytes are invalid in it
 */
export function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  if (isUtf8Label.test(label) && isUtf8(bytes)) return decodeUtf8(bytes);
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const isUtf8Label = /^utf-?8$/i;

/** Decodes UTF-8 twice as fast as a TextDecoder. @param bytes valid UTF-8 */
function decodeUtf8(bytes: Uint8Array): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8", hasMark ? 3 : 0);
}

import { findInvalidUtf8, utf8Length } from "../core/utf8.ts";
import { decodeMarked, markedEncoding, startOf, xmlDeclaredIn } from "./character-encoding.ts";

/**
 * A part of a document: its text, or the position (from 0) of a byte that does not belong to a character in the
 * document's encoding. `unread`: the document is in another encoding; this is then the only piece.
 */
type XmlPiece =
  | { type: "text"; text: string }
  | { type: "invalid"; byte: number; encoding: string }
  | { type: "unread"; encoding: string };

/** An encoding of XML documents. The bytes of a part are passed once, in order. */
interface XmlEncoding {
  name: string;
  /** The number of bytes of a code unit. */
  unitBytes: 1 | 2;
  swapsBytes?: boolean;
  /** Returns the number of bytes at the end that begin a character which the next part completes. */
  incomplete(bytes: Buffer): number;
  /**
   * Returns the index of the first byte from `from` that does not belong to a character; -1 when there is no such byte.
   */
  findInvalid(bytes: Buffer, from: number): number;
  decode(bytes: Buffer): string;
}

/**
 * Decodes an XML document in UTF-8, UTF-16, ISO-8859-1 or windows-1252. The encoding is determined by the byte order
 * mark or otherwise by the declaration. If a document in single bytes declares UTF-16, it is decoded as UTF-8, as in
 * browsers.
 * @see https://www.w3.org/TR/xml/#sec-guessing
 */
export async function* decodeXml(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<XmlPiece> {
  const decoding = new XmlDecoding();
  for await (const chunk of chunks) {
    yield* decoding.decode(chunk);
    if (decoding.isUnread) return;
  }
  yield* decoding.end();
}

class XmlDecoding {
  isUnread = false;
  /** Undefined before the beginning of the document has arrived. */
  private encoding: XmlEncoding | undefined;
  private rest: Buffer = Buffer.alloc(0);
  /** The position of `rest` in the document. */
  private restAt = 0;

  decode(chunk: Uint8Array): XmlPiece[] {
    this.rest = this.rest.length === 0 ? asBuffer(chunk) : Buffer.concat([this.rest, chunk]);
    if (this.encoding === undefined && this.rest.length < startBytes) return [];
    return this.pieces((encoding) => encoding.incomplete(this.rest));
  }

  end(): XmlPiece[] {
    return this.rest.length === 0 ? [] : this.pieces(() => 0);
  }

  /** @param incomplete returns the number of bytes at the end that are left for later */
  private pieces(incomplete: (encoding: XmlEncoding) => number): XmlPiece[] {
    if (this.encoding === undefined) {
      const found = encodingOf(this.rest);
      if (typeof found === "string") {
        this.isUnread = true;
        return [{ type: "unread", encoding: found }];
      }
      this.encoding = found;
      this.restAt = markBytes(this.rest);
      this.rest = this.rest.subarray(this.restAt);
    }
    const end = this.rest.length - incomplete(this.encoding);
    const pieces = piecesOf(this.rest.subarray(0, end), this.encoding, this.restAt);
    this.rest = this.rest.subarray(end);
    this.restAt += end;
    return pieces;
  }
}

/** Decides whether a file begins like XML, in any encoding. */
export function beginsAsXml(start: Uint8Array): boolean {
  return utf32.test(firstBytes(asBuffer(start), 4)) || /^\s*</.test(decodeMarked(start));
}

const utf32 = /^(?:fffe0000|0000feff|3c000000|0000003c)$/;

function firstBytes(bytes: Buffer, count: number): string {
  return bytes.subarray(0, count).toString("hex");
}

/** Longer than any declaration. */
const startBytes = 256;

function encodingOf(bytes: Buffer): XmlEncoding | string {
  if (utf32.test(firstBytes(bytes, 4))) return "UTF-32";
  const start = startOf(bytes);
  const marked = markedEncoding(start);
  if (marked?.startsWith("utf-16")) return utf16(marked === "utf-16be");
  // Some exports write a line break or a message before the declaration.
  const declaration = start.slice(Math.max(0, start.indexOf("<?xml ")));
  const declared = marked ?? xmlDeclaredIn(declaration)?.trim() ?? "utf-8";
  if (/^(?:utf-?8|us-ascii|ascii|utf-?16(?:le|be)?)$/i.test(declared)) return utf8;
  if (/^(?:iso[-_]?8859-1|latin-?1)$/i.test(declared)) return latin1;
  return /^(?:windows-1252|cp-?1252)$/i.test(declared) ? windows1252 : declared;
}

function markBytes(bytes: Buffer): number {
  const first = firstBytes(bytes, 3);
  if (first === "efbbbf") return 3;
  return /^(?:fffe|feff)/.test(first) ? 2 : 0;
}

function piecesOf(given: Buffer, encoding: XmlEncoding, at: number): XmlPiece[] {
  const { name, unitBytes, swapsBytes } = encoding;
  const isWhole = given.length % unitBytes === 0;
  const bytes = swapsBytes ? Buffer.from(isWhole ? given : given.subarray(0, -1)).swap16() : given;
  const pieces: XmlPiece[] = [];
  let from = 0;
  while (from < bytes.length) {
    const invalid = encoding.findInvalid(bytes, from);
    const end = invalid < 0 ? bytes.length : invalid;
    if (end > from) pieces.push({ type: "text", text: encoding.decode(bytes.subarray(from, end)) });
    if (invalid >= 0) pieces.push({ type: "invalid", byte: at + invalid, encoding: name });
    from = end + unitBytes;
  }
  if (swapsBytes && !isWhole) pieces.push({ type: "invalid", byte: at + bytes.length, encoding: name });
  return pieces;
}

const utf8: XmlEncoding = {
  name: "UTF-8",
  unitBytes: 1,
  incomplete(bytes) {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back] ?? 0;
      if (byte >= 0xc0) return utf8Length(byte) > back ? back : 0;
      if (byte < 0x80) return 0;
    }
    return 0;
  },
  findInvalid: findInvalidUtf8,
  decode: (bytes) => bytes.toString("utf8"),
};

function utf16(isBigEndian: boolean): XmlEncoding {
  return {
    name: "UTF-16",
    unitBytes: 2,
    swapsBytes: isBigEndian,
    incomplete(bytes) {
      const odd = bytes.length % 2;
      const lastUnit = bytes.length - odd - 2;
      const upper = bytes[isBigEndian ? lastUnit : lastUnit + 1] ?? 0;
      return odd + (lastUnit >= 0 && upper >= 0xd8 && upper < 0xdc ? 2 : 0);
    },
    findInvalid(bytes, from) {
      if (from === 0 && bytes.length % 2 === 0 && bytes.toString("utf16le").isWellFormed()) return -1;
      const unitAt = (at: number) => (at + 1 < bytes.length ? bytes.readUInt16LE(at) : 0xdc00);
      for (let at = from; at < bytes.length; at += 2) {
        const unit = unitAt(at);
        if (unit < 0xd800 || unit > 0xdfff) continue;
        const next = at + 3 < bytes.length ? unitAt(at + 2) : 0;
        if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) return at;
        at += 2;
      }
      return -1;
    },
    decode: (bytes) => bytes.toString("utf16le"),
  };
}

/** Creates an encoding with one byte per character. @param undefinedBytes bytes that are not characters */
function singleByte(name: string, undefinedBytes: readonly number[]): XmlEncoding {
  const isUndefined = new Uint8Array(256);
  for (const byte of undefinedBytes) isUndefined[byte] = 1;
  const decoder = new TextDecoder("windows-1252");
  return {
    name,
    unitBytes: 1,
    incomplete: () => 0,
    findInvalid(bytes, from) {
      for (let at = from; at < bytes.length; at++) if (isUndefined[bytes[at] ?? 0] === 1) return at;
      return -1;
    },
    decode: (bytes) => (name === "ISO-8859-1" ? bytes.toString("latin1") : decoder.decode(bytes)),
  };
}

/** @see https://encoding.spec.whatwg.org/#windows-1252 */
const windows1252 = singleByte("windows-1252", [0x81, 0x8d, 0x8f, 0x90, 0x9d]);

/**
 * Libraries use two control characters, which mark the beginning and end of non-sorting text. If other control
 * characters occur, the text is windows-1252 with a wrong declaration.
 */
const nonSorting = [0x98, 0x9c];
const latin1 = singleByte(
  "ISO-8859-1",
  Array.from({ length: 32 }, (_, place) => 0x80 + place).filter((byte) => !nonSorting.includes(byte)),
);

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

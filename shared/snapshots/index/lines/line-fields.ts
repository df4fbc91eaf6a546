import type { ByteView } from "./byte-view.ts";

/** The fields of a line, as offsets in its bytes. */
export class LineFields {
  /** The number of fields, up to the maximum. */
  count = 0;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;

  /** @param most the maximum number of fields to read */
  constructor(most: number) {
    this.starts = new Int32Array(most);
    this.ends = new Int32Array(most);
  }

  /** Divides a line at white space. */
  read(view: ByteView, start: number, end: number): void {
    const { bytes } = view;
    const { starts, ends } = this;
    let count = 0;
    let at = start;
    while (count < starts.length) {
      while (at < end && isSpace(bytes[at] as number)) at += 1;
      if (at === end) break;
      starts[count] = at;
      at = findSpace(view, at, end);
      ends[count] = at;
      count += 1;
    }
    this.count = count;
  }

  start(field: number): number {
    return this.starts[field] as number;
  }

  end(field: number): number {
    return this.ends[field] as number;
  }
}

const ones = 0x01010101;
const highBits = 0x80808080;
const afterBlank = 0x21 * ones;

/**
 * Returns the offset of the next white space, or the end.
 * @see https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
 */
function findSpace({ bytes, words }: ByteView, start: number, end: number): number {
  const lastWord = end - 4;
  let at = start;
  for (;;) {
    while (at <= lastWord) {
      const word = words.getInt32(at, true);
      // The lowest of these bits belongs to the first byte that is a space or less.
      const found = (word - afterBlank) & ~word & highBits;
      if (found !== 0) {
        at += (31 - Math.clz32(found & -found)) >> 3;
        break;
      }
      at += 4;
    }
    while (at < end && (bytes[at] as number) > 0x20) at += 1;
    if (at === end || isSpace(bytes[at] as number)) return at;
    at += 1;
  }
}

/**
 * Returns whether a byte is a space, tab, line feed, vertical tab, form feed or carriage return. Most bytes
 * need only one comparison.
 */
function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Returns whether a range consists of digits, and has at least one. */
export function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return end > start;
}

/** Returns whether an ASCII text is at an offset, case-insensitively. @param text in lower case */
export function holdsText(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const byte = bytes[at + index] as number;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lower !== text[index]) return false;
  }
  return true;
}

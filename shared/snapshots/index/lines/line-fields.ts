import type { ByteView } from "./byte-view.ts";

/** The fields of a line, as places in its bytes. */
export class LineFields {
  /** How many were found; what comes after the last one that is wanted is not counted. */
  count = 0;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;

  /** @param most fields that are wanted */
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
 * The place of the next white space, or the end.
 * @see https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
 */
function findSpace({ bytes, words }: ByteView, start: number, end: number): number {
  const lastWord = end - 4;
  let at = start;
  for (;;) {
    while (at <= lastWord) {
      const word = words.getInt32(at, true);
      // The lowest of these bits is that of the first byte up to a blank.
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

/** Blank, tab, line feed, vertical tab, form feed, carriage return. Most bytes need one comparison. */
function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Whether there are digits only, and at least one. */
export function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) return false;
  }
  return end > start;
}

/** Whether a place holds a text of ASCII, whatever the case of its letters. @param text in lower case */
export function holdsText(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const byte = bytes[at + index] as number;
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lower !== text[index]) return false;
  }
  return true;
}

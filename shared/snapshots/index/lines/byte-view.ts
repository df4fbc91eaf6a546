const leastBytes = 64 * 1024;

/**
 * Bytes that can also be read and written four at a time, at any offset. This takes a third of the time of
 * single bytes.
 */
export class ByteView {
  readonly bytes: Uint8Array;
  readonly words: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** Writes bytes one after the other. The caller must first make room for them. */
export class ByteWriter {
  target = new ByteView(new Uint8Array());
  at = 0;

  /** Makes room for a number of further bytes. */
  makeRoom(bytes: number): void {
    const needed = this.at + bytes;
    if (needed <= this.target.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * needed, leastBytes));
    larger.set(this.target.bytes.subarray(0, this.at));
    this.target = new ByteView(larger);
  }

  /** @param start the start of a range of `from`; `end` is its end */
  put({ bytes, words }: ByteView, start: number, end: number): void {
    const { target } = this;
    let to = this.at;
    let from = start;
    for (; from + 4 <= end; from += 4, to += 4) {
      target.words.setInt32(to, words.getInt32(from, true), true);
    }
    for (; from < end; from += 1) target.bytes[to++] = bytes[from] as number;
    this.at = to;
  }

  putByte(byte: number): void {
    this.target.bytes[this.at++] = byte;
  }
}

/** Returns whether two ranges of equal length, which begin at `one` and at `other`, have equal bytes. */
export function holdSame(
  { bytes, words }: ByteView,
  { one, other }: { one: number; other: number },
  length: number,
): boolean {
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    if (words.getInt32(one + at, true) !== words.getInt32(other + at, true)) return false;
  }
  for (; at < length; at += 1) if (bytes[one + at] !== bytes[other + at]) return false;
  return true;
}

/**
 * Collects text as UTF-8. Most texts of a record are short and ASCII, so writing their bytes is faster than calling an
 * encoder.
 */
export class Utf8Writer {
  private buffer = Buffer.allocUnsafe(131_072);
  private used = 0;

  get length(): number {
    return this.used;
  }

  /** Adds encoded text, such as markup. */
  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.used);
    this.used += bytes.length;
  }

  /** Adds a few ASCII characters, such as a tag. */
  ascii(text: string): void {
    this.reserve(text.length);
    const { buffer, used } = this;
    for (let at = 0; at < text.length; at++) buffer[used + at] = text.charCodeAt(at);
    this.used += text.length;
  }

  /**
   * Adds a value if all of its characters are ASCII and not `special`. Otherwise it adds nothing. @returns whether the
   * value was added
   */
  plain(value: string, special: Uint8Array): boolean {
    this.reserve(value.length);
    const { buffer, used } = this;
    for (let at = 0; at < value.length; at++) {
      const character = value.charCodeAt(at);
      if (character > 0x7f || special[character] === 1) return false;
      buffer[used + at] = character;
    }
    this.used += value.length;
    return true;
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    this.used += this.buffer.write(text, this.used, "utf8");
  }

  /** Adds a number with leading zeros. */
  digits(number: number, width: number): void {
    this.reserve(width);
    let rest = number;
    for (let at = this.used + width - 1; at >= this.used; at--) {
      this.buffer[at] = 0x30 + (rest % 10);
      rest = Math.trunc(rest / 10);
    }
    this.used += width;
  }

  /** Returns the collected bytes without copying them. They are valid until the next write. */
  view(): Uint8Array {
    return this.buffer.subarray(0, this.used);
  }

  clear(): void {
    this.used = 0;
  }

  /** Copies the collected bytes and clears the writer. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.view());
    this.clear();
    return bytes;
  }

  private reserve(bytes: number): void {
    if (this.used + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.used + bytes));
    larger.set(this.buffer.subarray(0, this.used));
    this.buffer = larger;
  }
}

/** Returns a table of the control characters and the given characters, for `plain`. */
export function asciiTable(characters: string[]): Uint8Array {
  const table = new Uint8Array(128).fill(1, 0, 0x20);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

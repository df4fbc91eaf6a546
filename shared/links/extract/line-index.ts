/** Converts offsets in a text to lines and columns. Lines end with LF, CRLF or CR. */
export class LineIndex {
  /** The offset at which each line begins. */
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) this.starts.push(index + end.length);
  }

  /** Returns the line and column of an offset, both counted from 1. */
  placeOf(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] as number) + 1 };
  }
}

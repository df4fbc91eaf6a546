import { digestEndOf, fetchedDateOf, restOf, urlOf } from "./capture-record.ts";
import { compareDates, type JoinedCaptures } from "./join-captures.ts";

/** So few entries are inserted one by one. */
const fewEntries = 12;

/**
 * The numbers of the entries in the order of their URLs' bytes; those of one URL by date, then by digest. It sorts by one
 * byte after the other, so that a beginning that URLs share is read once.
 * @see https://www.cs.princeton.edu/~rs/strings/paper.pdf
 */
export function orderEntries(entries: Pick<JoinedCaptures, "bytes" | "fetched">): Int32Array {
  const order = entries.fetched.map((_record, entry) => entry);
  new UrlSort(entries, order).sort(0, order.length, 0);
  return order;
}

class UrlSort {
  private readonly bytes: Uint8Array;
  private readonly fetched: Int32Array;
  private readonly urls: Int32Array;
  private readonly ends: Int32Array;
  private readonly order: Int32Array;

  constructor({ bytes, fetched }: Pick<JoinedCaptures, "bytes" | "fetched">, order: Int32Array) {
    this.bytes = bytes;
    this.fetched = fetched;
    this.order = order;
    this.urls = fetched.map(urlOf);
    this.ends = fetched.map((record) => restOf(bytes, record));
  }

  /** Sorts the places from `from` to before `to`, whose URLs have the same bytes up to `depth`. */
  sort(from: number, to: number, depth: number): void {
    let [start, end, at] = [from, to, depth];
    while (end - start > fewEntries) {
      const pivot = this.pivot(start, end, at);
      const [equal, greater] = this.divide(start, end, { pivot, depth: at });
      if (pivot < 0) this.sortContents(equal, greater);
      const equalEnd = pivot < 0 ? equal : greater;
      const [less, same, more] = [equal - start, equalEnd - equal, end - greater];
      // The largest part is sorted here, so that calls never nest deeply.
      if (same >= less && same >= more) {
        this.sort(start, equal, at);
        this.sort(greater, end, at);
        [start, end, at] = [equal, equalEnd, at + 1];
      } else {
        this.sort(equal, equalEnd, at + 1);
        if (less >= more) {
          this.sort(greater, end, at);
          end = equal;
        } else {
          this.sort(start, equal, at);
          start = greater;
        }
      }
    }
    this.insert(start, end, at);
  }

  /** Puts smaller bytes first and greater ones last. @returns where the equal ones and the greater ones begin */
  private divide(
    start: number,
    end: number,
    { pivot, depth }: { pivot: number; depth: number },
  ): [number, number] {
    const { order } = this;
    let [equal, greater] = [start, end];
    for (let at = start; at < greater; ) {
      const entry = order[at] as number;
      const byte = this.byteAt(entry, depth);
      if (byte === pivot) at += 1;
      else if (byte < pivot) {
        order[at++] = order[equal] as number;
        order[equal++] = entry;
      } else {
        order[at] = order[--greater] as number;
        order[greater] = entry;
      }
    }
    return [equal, greater];
  }

  /** The median of three. */
  private pivot(start: number, end: number, depth: number): number {
    const first = this.byteAt(this.order[start] as number, depth);
    const middle = this.byteAt(this.order[(start + end) >> 1] as number, depth);
    const last = this.byteAt(this.order[end - 1] as number, depth);
    return Math.max(Math.min(first, middle), Math.min(Math.max(first, middle), last));
  }

  /** The byte of a URL; -1 after its end. */
  private byteAt(entry: number, depth: number): number {
    const at = (this.urls[entry] as number) + depth;
    return at < (this.ends[entry] as number) ? (this.bytes[at] as number) : -1;
  }

  private insert(start: number, end: number, depth: number): void {
    const { order } = this;
    for (let next = start + 1; next < end; next += 1) {
      const entry = order[next] as number;
      let at = next;
      for (; at > start && this.compare(order[at - 1] as number, entry, depth) > 0; at -= 1) {
        order[at] = order[at - 1] as number;
      }
      order[at] = entry;
    }
  }

  private compare(one: number, other: number, depth: number): number {
    for (let at = depth; ; at += 1) {
      const byte = this.byteAt(one, at);
      const difference = byte - this.byteAt(other, at);
      if (difference !== 0) return difference;
      if (byte < 0) return this.compareContents(one, other);
    }
  }

  private compareContents(one: number, other: number): number {
    const { bytes } = this;
    const [record, otherRecord] = [this.fetched[one] as number, this.fetched[other] as number];
    return (
      compareDates(bytes, fetchedDateOf(bytes, record), fetchedDateOf(bytes, otherRecord)) ||
      Buffer.compare(this.digest(record), this.digest(otherRecord))
    );
  }

  private digest(record: number): Uint8Array {
    return this.bytes.subarray(restOf(this.bytes, record), digestEndOf(this.bytes, record));
  }

  private sortContents(start: number, end: number): void {
    this.order.subarray(start, end).sort((one, other) => this.compareContents(one, other));
  }
}

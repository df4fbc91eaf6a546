import { digestEndOf, fetchedDateOf, restOf, urlOf } from "../lines/capture-record.ts";
import { compareDates, type JoinedCaptures } from "./join-captures.ts";
import { sortByKey } from "./sort-by-key.ts";

type Entries = Pick<JoinedCaptures, "records" | "fetched">;

/**
 * Returns the numbers of the entries, ordered by the bytes of their URLs; entries of one URL are ordered by
 * date, then by digest. It sorts by six bytes at a time. So a common prefix of URLs is read only once, and
 * URLs are not read for comparisons.
 * @see https://www.cs.princeton.edu/~rs/strings/paper.pdf
 */
export function orderEntries(entries: Entries): Int32Array {
  const sort = new UrlSort(entries);
  sort.sort(0, sort.order.length, 0);
  return sort.order;
}

/** The number of bytes in a key. Together with their count, they fit into an exact float. */
const keyBytes = 6;

interface Range {
  start: number;
  end: number;
}

class UrlSort {
  readonly order: Int32Array;
  private readonly entries: Entries;
  /** The sort key of the entry at each place of the order: the bytes of its URL at the current depth. */
  private readonly keys: Float64Array;

  constructor(entries: Entries) {
    this.entries = entries;
    this.order = entries.fetched.map((_record, entry) => entry);
    this.keys = new Float64Array(this.order.length);
  }

  /** Sorts the places from `from` to before `to`, whose URLs have the same bytes up to `depth`. */
  sort(from: number, to: number, depth: number): void {
    let range: Range | undefined = { start: from, end: to };
    for (let at = depth; range !== undefined; at += keyBytes) {
      const { start, end }: Range = range;
      for (let place = start; place < end; place += 1) {
        this.keys[place] = this.key(this.order[place] as number, at);
      }
      sortByKey(this.keys, this.order, range);
      // The largest range of equal keys is sorted in this loop, so that recursion never becomes deep.
      range = undefined;
      for (const equal of this.equalRanges(start, end)) {
        const [smaller, larger]: (Range | undefined)[] = isLonger(equal, range)
          ? [range, equal]
          : [equal, range];
        if (smaller !== undefined) this.sort(smaller.start, smaller.end, at + keyBytes);
        range = larger;
      }
    }
  }

  /**
   * Yields the ranges of URLs with further bytes after equal ones. URLs that end with the equal bytes are
   * identical, and are sorted here.
   */
  private *equalRanges(from: number, to: number): Generator<Range> {
    const { keys } = this;
    let end: number;
    for (let start = from; start < to; start = end) {
      const key = keys[start] as number;
      end = start + 1;
      while (end < to && keys[end] === key) end += 1;
      if (end === start + 1) continue;
      if (endsUrl(key)) this.sortContents(start, end);
      else yield { start, end };
    }
  }

  /**
   * Returns the next bytes of a URL, with the first byte highest, followed by their count. So a URL that ends
   * is ordered before one that continues.
   */
  private key(entry: number, depth: number): number {
    const { records, fetched } = this.entries;
    const record = fetched[entry] as number;
    const at = urlOf(record) + depth;
    const left = restOf(records, record) - at;
    const { bytes, words } = records;
    if (left >= keyBytes) return (words.getUint32(at) * 2 ** 16 + words.getUint16(at + 4)) * 8 + keyBytes;
    let key = 0;
    for (let byte = 0; byte < keyBytes; byte += 1) {
      key = 256 * key + (byte < left ? (bytes[at + byte] as number) : 0);
    }
    return 8 * key + left;
  }

  private sortContents(start: number, end: number): void {
    this.order.subarray(start, end).sort((one, other) => this.compareContents(one, other));
  }

  private compareContents(one: number, other: number): number {
    const { records, fetched } = this.entries;
    const [record, otherRecord] = [fetched[one] as number, fetched[other] as number];
    return (
      compareDates(records, fetchedDateOf(records, record), fetchedDateOf(records, otherRecord)) ||
      Buffer.compare(this.digest(record), this.digest(otherRecord))
    );
  }

  private digest(record: number): Uint8Array {
    const { records } = this.entries;
    return records.bytes.subarray(restOf(records, record), digestEndOf(records, record));
  }
}

function isLonger(one: Range, other: Range | undefined): boolean {
  return other === undefined || one.end - one.start > other.end - other.start;
}

/** Returns whether a URL has fewer bytes left than a key holds. */
function endsUrl(key: number): boolean {
  return key % 8 < keyBytes;
}

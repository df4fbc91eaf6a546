import { gzipSync } from "node:zlib";
import { endOf, restOf, urlOf } from "./capture-record.ts";
import type { JoinedCaptures } from "./join-captures.ts";
import { orderEntries } from "./order-entries.ts";
import { noPlace } from "./place-table.ts";

/** Before it is compressed: some hundred entries. One is read at each lookup. */
const blockBytes = 32 * 1024;

/**
 * Digests hardly compress, so that higher levels take time and gain little; a smaller window and a larger table take a fifth
 * less time than the defaults.
 */
const compression = { level: 1, windowBits: 14, memLevel: 9, chunkSize: 32 * 1024 };

const blank = 0x20;
const lineFeed = 0x0a;

export interface Block {
  firstUrl: Uint8Array;
  /** As gzip. */
  content: Uint8Array;
}

/** Entries as blocks, in their order. The entries of one URL are never in two blocks. */
export function* packBlocks(entries: JoinedCaptures): Generator<Block> {
  const { bytes, fetched, stored } = entries;
  const block = new BlockBuffer();
  let first = noPlace;
  let last = noPlace;
  for (const entry of orderEntries(entries)) {
    const record = fetched[entry] as number;
    if (block.length >= blockBytes && !haveSameUrl(bytes, last, record)) {
      yield { firstUrl: urlIn(bytes, first), content: gzipSync(block.take(), compression) };
      first = noPlace;
    }
    if (first === noPlace) first = record;
    block.addEntry(bytes, record, stored[entry] as number);
    last = record;
  }
  if (first !== noPlace)
    yield { firstUrl: urlIn(bytes, first), content: gzipSync(block.take(), compression) };
}

class BlockBuffer {
  length = 0;
  private bytes = Buffer.allocUnsafeSlow(2 * blockBytes);

  addEntry(records: Buffer, fetched: number, stored: number): void {
    const origin = stored === noPlace ? 0 : endOf(records, stored) - restOf(records, stored);
    const needed = this.length + endOf(records, fetched) - urlOf(fetched) + 1 + origin + 1;
    if (needed > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * needed);
    this.put(records, urlOf(fetched), restOf(records, fetched));
    this.bytes[this.length++] = blank;
    this.put(records, restOf(records, fetched), endOf(records, fetched));
    if (stored !== noPlace) this.put(records, restOf(records, stored), endOf(records, stored));
    this.bytes[this.length++] = lineFeed;
  }

  /** What it holds; it is empty then. */
  take(): Uint8Array {
    const { length } = this;
    this.length = 0;
    return this.bytes.subarray(0, length);
  }

  private put(from: Buffer, start: number, end: number): void {
    this.length += from.copy(this.bytes, this.length, start, end);
  }
}

function urlIn(bytes: Uint8Array, record: number): Uint8Array {
  return bytes.subarray(urlOf(record), restOf(bytes, record));
}

function haveSameUrl(bytes: Uint8Array, one: number, other: number): boolean {
  return Buffer.compare(urlIn(bytes, one), urlIn(bytes, other)) === 0;
}

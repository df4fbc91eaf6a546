import type { ByteView } from "../lines/byte-view.ts";
import { restOf, urlOf } from "../lines/capture-record.ts";
import { BlockWriter } from "./index-block.ts";
import type { JoinedCaptures } from "./join-captures.ts";
import { orderEntries } from "./order-entries.ts";
import { noPlace } from "./place-table.ts";

interface Block {
  firstUrl: Uint8Array;
  content: Uint8Array[];
}

/** Yields blocks of entries, in order. The entries of one URL are always in the same block. */
export function* packBlocks(entries: JoinedCaptures): Generator<Block> {
  const { records, fetched, stored } = entries;
  const block = new BlockWriter();
  let first = noPlace;
  let last = noPlace;
  for (const entry of orderEntries(entries)) {
    const record = fetched[entry] as number;
    if (block.isFull && !haveSameUrl(records, last, record)) {
      yield { firstUrl: urlIn(records, first), content: block.take() };
      first = noPlace;
    }
    if (first === noPlace) first = record;
    block.addEntry(records, record, stored[entry] as number);
    last = record;
  }
  if (first !== noPlace) yield { firstUrl: urlIn(records, first), content: block.take() };
}

function urlIn(records: ByteView, record: number): Uint8Array {
  return records.bytes.subarray(urlOf(record), restOf(records, record));
}

function haveSameUrl(records: ByteView, one: number, other: number): boolean {
  return Buffer.compare(urlIn(records, one), urlIn(records, other)) === 0;
}

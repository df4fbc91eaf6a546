import { dateLength, headerBytes, storedBit, writeHeader } from "./capture-record.ts";
import type { CdxLine } from "./cdx-line.ts";
import type { CrawlLogLine } from "./crawl-log-line.ts";
import { hashUrl, shardOf } from "./url-hash.ts";

/** Records are gathered in pieces for each shard; with many shards in smaller ones. */
const pieces = { mostBytes: 64 * 1024, leastBytes: 4 * 1024, allBytes: 64 * 1024 * 1024 };

const blank = 0x20;
const comma = 0x2c;
const zero = 0x30;

/** Records of fetched URLs and of stored captures, gathered by shard. */
export class CaptureRecords {
  /** Of all records. */
  sizeBytes = 0;
  private readonly shards: number;
  private readonly pieceBytes: number;
  private readonly full: Uint8Array[][];
  private readonly open: Uint8Array[];
  private readonly used: Int32Array;
  /** Where the record that is written goes. */
  private target: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(shards: number) {
    const { mostBytes, leastBytes, allBytes } = pieces;
    this.shards = shards;
    this.pieceBytes = Math.max(leastBytes, Math.min(mostBytes, Math.floor(allBytes / shards)));
    this.full = Array.from({ length: shards }, () => []);
    this.open = Array.from({ length: shards }, () => new Uint8Array());
    this.used = new Int32Array(shards);
  }

  addFetched(bytes: Uint8Array, line: CrawlLogLine): void {
    const { urlStart, urlEnd, digestStart, digestEnd, originStart, originEnd, date } = line;
    const restBytes = digestEnd - digestStart + 1 + dateLength + 1 + originEnd - originStart;
    this.begin(hashUrl(bytes, urlStart, urlEnd), urlEnd - urlStart, restBytes, 0);
    this.put(bytes, urlStart, urlEnd);
    this.put(bytes, digestStart, digestEnd);
    this.target[this.at++] = blank;
    this.put(date, 0, dateLength);
    this.target[this.at++] = blank;
    this.put(bytes, originStart, originEnd);
  }

  addStored(line: CdxLine): void {
    const { bytes, urlStart, urlEnd, fileStart, fileEnd, offsetStart, offsetEnd, dateStart } = line;
    const restBytes = fileEnd - fileStart + 1 + offsetEnd - offsetStart + 1 + dateLength;
    this.begin(hashUrl(bytes, urlStart, urlEnd), urlEnd - urlStart, restBytes, storedBit);
    this.put(bytes, urlStart, urlEnd);
    this.put(bytes, fileStart, fileEnd);
    this.target[this.at++] = comma;
    this.put(bytes, offsetStart, offsetEnd);
    this.target[this.at++] = comma;
    this.put(bytes, dateStart, dateStart + 14);
    this.target.fill(zero, this.at, this.at + 3);
  }

  /** All records as one file: the places of the shards' records, then the records; and begins anew. */
  takeRun(): Uint8Array[] {
    const places = new DataView(new ArrayBuffer(placesBytes(this.shards)));
    const run: Uint8Array[] = [new Uint8Array(places.buffer)];
    let at = placesBytes(this.shards);
    for (let shard = 0; shard < this.shards; shard += 1) {
      places.setUint32(4 * shard, at, true);
      const last = (this.open[shard] as Uint8Array).subarray(0, this.used[shard]);
      for (const piece of [...(this.full[shard] as Uint8Array[]), last]) {
        run.push(piece);
        at += piece.length;
      }
      this.full[shard] = [];
      this.open[shard] = new Uint8Array();
    }
    places.setUint32(4 * this.shards, at, true);
    this.used.fill(0);
    this.sizeBytes = 0;
    return run;
  }

  private begin(hash: number, urlBytes: number, restBytes: number, kind: number): void {
    const shard = shardOf(hash, this.shards);
    const length = headerBytes + urlBytes + restBytes;
    let piece = this.open[shard] as Uint8Array;
    let used = this.used[shard] as number;
    if (used + length > piece.length) {
      if (used > 0) (this.full[shard] as Uint8Array[]).push(piece.subarray(0, used));
      piece = Buffer.allocUnsafeSlow(Math.max(this.pieceBytes, length));
      this.open[shard] = piece;
      used = 0;
    }
    this.used[shard] = used + length;
    this.sizeBytes += length;
    writeHeader(piece, used, { hash, urlBytes, restBytes, kind });
    this.target = piece;
    this.at = used + headerBytes;
  }

  private put(bytes: Uint8Array, start: number, end: number): void {
    const { target } = this;
    let to = this.at;
    for (let from = start; from < end; from += 1) target[to++] = bytes[from] as number;
    this.at = to;
  }
}

/** The length of the places at the beginning of a run, of 32 bits each. */
export function placesBytes(shards: number): number {
  return 4 * (shards + 1);
}

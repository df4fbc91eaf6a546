import { ByteView, ByteWriter } from "./byte-view.ts";
import { dateLength, headerBytes, type RecordSizes, storedBit, writeHeader } from "./capture-record.ts";
import type { CdxLine } from "./cdx-line.ts";
import type { CrawlLogLine } from "./crawl-log-line.ts";
import { hashUrl, shardOf } from "./url-hash.ts";

/**
 * The size of the memory pieces in which records are gathered for each shard. With many shards, the pieces
 * are smaller.
 */
const pieces = { mostBytes: 64 * 1024, leastBytes: 4 * 1024, allBytes: 64 * 1024 * 1024 };

const blank = 0x20;
const comma = 0x2c;
const zero = 0x30;

const none = new ByteView(new Uint8Array());

/** Records of fetched URLs and of stored captures, gathered by shard. */
export class CaptureRecords {
  /** The total size of all records. */
  sizeBytes = 0;
  private readonly shards: number;
  private readonly pieceBytes: number;
  private readonly full: Uint8Array[][];
  private readonly open: ByteView[];
  private readonly used: Int32Array;
  /** The place of the record that is written next. */
  private readonly writer = new ByteWriter();

  constructor(shards: number) {
    const { mostBytes, leastBytes, allBytes } = pieces;
    this.shards = shards;
    this.pieceBytes = Math.max(leastBytes, Math.min(mostBytes, Math.floor(allBytes / shards)));
    this.full = Array.from({ length: shards }, () => []);
    this.open = Array.from({ length: shards }, () => none);
    this.used = new Int32Array(shards);
  }

  addFetched(view: ByteView, line: CrawlLogLine): void {
    const { urlStart, urlEnd, digestStart, digestEnd, originStart, originEnd, date } = line;
    const { writer } = this;
    const firstBytes = digestEnd - digestStart;
    const restBytes = firstBytes + 1 + dateLength + 1 + originEnd - originStart;
    const sizes = { urlBytes: urlEnd - urlStart, firstBytes, restBytes };
    this.begin(hashUrl(view, urlStart, urlEnd), sizes, 0);
    writer.put(view, urlStart, urlEnd);
    writer.put(view, digestStart, digestEnd);
    writer.putByte(blank);
    for (let digit = 0; digit < dateLength; digit += 1) writer.putByte(date[digit] as number);
    writer.putByte(blank);
    writer.put(view, originStart, originEnd);
  }

  addStored(line: CdxLine): void {
    const { view, urlStart, urlEnd, fileStart, fileEnd, offsetStart, offsetEnd, dateStart } = line;
    const { writer } = this;
    const firstBytes = fileEnd - fileStart;
    const restBytes = firstBytes + 1 + offsetEnd - offsetStart + 1 + dateLength;
    const sizes = { urlBytes: urlEnd - urlStart, firstBytes, restBytes };
    this.begin(hashUrl(view, urlStart, urlEnd), sizes, storedBit);
    writer.put(view, urlStart, urlEnd);
    writer.put(view, fileStart, fileEnd);
    writer.putByte(comma);
    writer.put(view, offsetStart, offsetEnd);
    writer.putByte(comma);
    writer.put(view, dateStart, dateStart + 14);
    for (let digit = 14; digit < dateLength; digit += 1) writer.putByte(zero);
  }

  /**
   * Returns all records as one file and starts again. The file has the offsets of the shards' records,
   * followed by the records.
   */
  takeRun(): Uint8Array[] {
    const places = new DataView(new ArrayBuffer(placesBytes(this.shards)));
    const run: Uint8Array[] = [new Uint8Array(places.buffer)];
    let at = placesBytes(this.shards);
    for (let shard = 0; shard < this.shards; shard += 1) {
      places.setUint32(4 * shard, at, true);
      const last = (this.open[shard] as ByteView).bytes.subarray(0, this.used[shard]);
      for (const piece of [...(this.full[shard] as Uint8Array[]), last]) {
        run.push(piece);
        at += piece.length;
      }
      this.full[shard] = [];
      this.open[shard] = none;
    }
    places.setUint32(4 * this.shards, at, true);
    this.used.fill(0);
    this.sizeBytes = 0;
    return run;
  }

  private begin(hash: number, sizes: RecordSizes, kind: number): void {
    const shard = shardOf(hash, this.shards);
    const length = headerBytes + sizes.urlBytes + sizes.restBytes;
    let piece = this.open[shard] as ByteView;
    let used = this.used[shard] as number;
    if (used + length > piece.bytes.length) {
      if (used > 0) (this.full[shard] as Uint8Array[]).push(piece.bytes.subarray(0, used));
      piece = new ByteView(Buffer.allocUnsafeSlow(Math.max(this.pieceBytes, length)));
      this.open[shard] = piece;
      used = 0;
    }
    this.used[shard] = used + length;
    this.sizeBytes += length;
    writeHeader(piece, used, { hash, kind, sizes });
    this.writer.target = piece;
    this.writer.at = used + headerBytes;
  }
}

/** Returns the size of the offsets at the beginning of a run, of 32 bits each. */
function placesBytes(shards: number): number {
  return 4 * (shards + 1);
}

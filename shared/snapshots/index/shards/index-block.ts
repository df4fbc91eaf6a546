import { gunzipSync, gzipSync } from "node:zlib";
import { storedMember } from "../../warc/stored-member.ts";
import type { IndexEntry } from "../index-entry.ts";
import { type ByteView, ByteWriter } from "../lines/byte-view.ts";
import { digestEndOf, endOf, restOf, urlOf } from "../lines/capture-record.ts";
import { packDigest, packedBytes, unpackDigest } from "./packed-digest.ts";
import { noPlace } from "./place-table.ts";

/**
 * A block of an index consists of two gzip members. The first member has the number of packed digests (32
 * bits, little-endian) and these digests. It is stored uncompressed, because digests do not compress. The
 * second member has one line per entry, `url digest date origin`, ordered by the bytes of the URLs. A tab in
 * place of the digest refers to the next packed digest.
 */

/** The size of the lines before compression: some hundred entries. Each lookup reads one block. */
const blockBytes = 24 * 1024;

/**
 * Higher levels save little, because the digests are stored separately. A smaller window and a larger table
 * take less time.
 */
const compression = { level: 1, windowBits: 14, memLevel: 9, chunkSize: 32 * 1024 };

const countBytes = 4;

const tab = 0x09;
const lineFeed = 0x0a;
const blank = 0x20;

/** Gathers the entries of a block. */
export class BlockWriter {
  private readonly digests = new ByteWriter();
  private readonly lines = new ByteWriter();

  constructor() {
    this.clear();
  }

  get isFull(): boolean {
    return this.lines.at >= blockBytes;
  }

  /**
   * Adds an entry. @param stored the capture that is the origin; `noPlace` if the fetched URL names its
   * origin
   */
  addEntry(records: ByteView, fetched: number, stored: number): void {
    const { digests, lines } = this;
    const rest = restOf(records, fetched);
    const digestEnd = digestEndOf(records, fetched);
    const end = endOf(records, fetched);
    const origin = stored === noPlace ? 0 : endOf(records, stored) - restOf(records, stored);
    digests.makeRoom(packedBytes);
    lines.makeRoom(end - urlOf(fetched) + origin + 2);
    lines.put(records, urlOf(fetched), rest);
    lines.putByte(blank);
    if (packDigest(records, { start: rest, end: digestEnd }, digests)) lines.putByte(tab);
    else lines.put(records, rest, digestEnd);
    lines.put(records, digestEnd, end);
    if (stored !== noPlace) lines.put(records, restOf(records, stored), endOf(records, stored));
    lines.putByte(lineFeed);
  }

  /** Returns the block in pieces, and begins the next block. */
  take(): Uint8Array[] {
    const { digests, lines } = this;
    const packed = digests.target.bytes.slice(0, digests.at);
    new DataView(packed.buffer).setUint32(0, (digests.at - countBytes) / packedBytes, true);
    const compressed = gzipSync(lines.target.bytes.subarray(0, lines.at), compression);
    this.clear();
    return [...storedMember([packed]), compressed];
  }

  private clear(): void {
    this.digests.makeRoom(countBytes);
    this.digests.at = countBytes;
    this.lines.at = 0;
  }
}

/** Returns the entries of a URL in a block. @throws Error of zlib if the block is damaged */
export function entriesOf(block: Uint8Array, url: Buffer): IndexEntry[] {
  const content = gunzipSync(block);
  const entries: IndexEntry[] = [];
  let packed = countBytes;
  for (
    let at = countBytes + packedBytes * content.readUInt32LE(0), end: number;
    at < content.length;
    at = end + 1
  ) {
    const urlEnd = content.indexOf(blank, at);
    end = content.indexOf(lineFeed, urlEnd);
    const isPacked = content[urlEnd + 1] === tab;
    if (content.subarray(at, urlEnd).equals(url)) {
      const [text = "", date = "", ...origin] = content.toString("utf8", urlEnd + 1, end).split(" ");
      const digest = isPacked ? unpackDigest(content, packed) : text;
      entries.push({ url: url.toString(), digest, date, origin: origin.join(" ") });
    }
    if (isPacked) packed += packedBytes;
  }
  return entries;
}

import { ByteView } from "./lines/byte-view.ts";
import { hashUrl, shardOf } from "./lines/url-hash.ts";

/**
 * An index consists of a manifest and two files per shard: blocks of entries, each compressed separately
 * (`index-block.ts`), and the keys of the blocks. A lookup reads the keys of a shard (once) and one block.
 * Entries are sorted by the bytes of their URLs.
 */

/** The name of the manifest, which describes an index. It is written last. */
export const manifestName = "index.json";

export const blocksName = (shard: number) => `shard-${String(shard).padStart(4, "0")}.blocks.gz`;
export const keysName = (shard: number) => `shard-${String(shard).padStart(4, "0")}.keys`;

export interface IndexManifest {
  format: "ingather-deduplication-index/1";
  shards: number;
  entries: number;
  jobs: string[];
}

/** Returns the shard of a URL. */
export function shardOfUrl(url: Uint8Array, shards: number): number {
  return shardOf(hashUrl(new ByteView(url), 0, url.length), shards);
}

/** The place of a block in the file of its shard. */
interface BlockPlace {
  offset: number;
  length: number;
}

/** Formats a line of the keys of a shard: `offset length url`, with the first URL of the block. */
export function formatKey({ offset, length }: BlockPlace, firstUrl: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${offset} ${length} `), firstUrl, Buffer.from("\n")]);
}

const blank = 0x20;
const lineFeed = 0x0a;

/** The keys of the blocks of a shard. */
export class BlockKeys {
  private readonly bytes: Buffer;
  /** The offset of each line. */
  private readonly lines: number[] = [];

  constructor(content: Uint8Array) {
    this.bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    for (let at = 0; at < this.bytes.length; at = this.bytes.indexOf(lineFeed, at) + 1) this.lines.push(at);
  }

  /**
   * Returns the block that may contain the entries of a URL: the last block whose first URL is equal to or
   * less than the URL.
   */
  find(url: Uint8Array): BlockPlace | undefined {
    let [low, high] = [0, this.lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(this.firstUrl(middle), url) <= 0) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : this.place(low - 1);
  }

  private firstUrl(line: number): Uint8Array {
    return this.bytes.subarray(this.urlStart(line), this.bytes.indexOf(lineFeed, this.lines[line]));
  }

  private place(line: number): BlockPlace {
    const [offset, length] = this.bytes.toString("latin1", this.lines[line], this.urlStart(line)).split(" ");
    return { offset: Number(offset), length: Number(length) };
  }

  private urlStart(line: number): number {
    const length = this.bytes.indexOf(blank, this.lines[line]) + 1;
    return this.bytes.indexOf(blank, length) + 1;
  }
}

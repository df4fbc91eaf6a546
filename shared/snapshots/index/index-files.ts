import { crc32, gunzipSync, gzipSync } from "node:zlib";
import type { IndexEntry } from "./join-captures.ts";

/*
 * An index is a manifest and, for each shard, two files: blocks of entries, each a member of gzip on its own, and the keys of
 * the blocks. One lookup reads the keys of a shard (once) and one block.
 */

/** The name of the file that says what an index holds; it is written last. */
export const manifestName = "index.json";

export const blocksName = (shard: number) => `shard-${String(shard).padStart(4, "0")}.blocks.gz`;
export const keysName = (shard: number) => `shard-${String(shard).padStart(4, "0")}.keys`;

export interface IndexManifest {
  format: "ingather-deduplication-index/1";
  shards: number;
  entries: number;
  jobs: string[];
}

/** Of a block before it is compressed: some hundred entries. */
const blockLength = 64 * 1024;

/** The shard that holds a URL's entries. */
export function shardOf(url: string, shards: number): number {
  return crc32(url) % shards;
}

export interface Block {
  /** URL of its first entry. */
  firstUrl: string;
  content: Uint8Array;
}

/**
 * Entries as blocks. The entries of one URL are never in two blocks.
 * @param entries in the order of their URLs
 */
export function* packBlocks(entries: Iterable<IndexEntry>): Generator<Block> {
  let lines: string[] = [];
  let length = 0;
  let firstUrl = "";
  let lastUrl = "";
  for (const { url, digest, date, origin } of entries) {
    if (length >= blockLength && url !== lastUrl) {
      yield { firstUrl, content: gzipSync(lines.join(""), { level: 4 }) };
      lines = [];
      length = 0;
    }
    if (lines.length === 0) firstUrl = url;
    const line = `${url} ${digest} ${date} ${origin}\n`;
    lines.push(line);
    length += line.length;
    lastUrl = url;
  }
  if (lines.length > 0) yield { firstUrl, content: gzipSync(lines.join(""), { level: 4 }) };
}

export function unpackBlock(content: Uint8Array): IndexEntry[] {
  const lines = gunzipSync(content).toString("utf8").split("\n");
  return lines.filter((line) => line !== "").map(parseEntry);
}

function parseEntry(line: string): IndexEntry {
  const [url = "", digest = "", date = "", ...origin] = line.split(" ");
  return { url, digest, date, origin: origin.join(" ") };
}

/** Where a block is in the file of its shard. */
export interface BlockKey {
  firstUrl: string;
  offset: number;
  length: number;
}

export function formatKeys(keys: readonly BlockKey[]): string {
  return keys.map(({ firstUrl, offset, length }) => `${offset} ${length} ${firstUrl}\n`).join("");
}

export function parseKeys(text: string): BlockKey[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [offset = "", length = "", firstUrl = ""] = line.split(" ");
    return { firstUrl, offset: Number(offset), length: Number(length) };
  });
}

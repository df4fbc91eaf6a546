import { ConfigError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import {
  type BlockKey,
  blocksName,
  type IndexManifest,
  keysName,
  manifestName,
  parseKeys,
  shardOf,
  unpackBlock,
} from "./index-files.ts";
import type { IndexEntry } from "./join-captures.ts";

/** The files of an index, on disk or in a bucket. */
export interface IndexFiles {
  /** Undefined when there is no such file. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** `length` bytes from `offset` on. */
  readRange(name: string, range: { offset: number; length: number }): Promise<Uint8Array>;
}

/** Finds the original of a capture. The keys of a shard are read at its first lookup, and kept. */
export class DeduplicationIndex {
  private readonly files: IndexFiles;
  private readonly manifest: IndexManifest;
  private readonly keys = new Map<number, Promise<BlockKey[]>>();

  private constructor(files: IndexFiles, manifest: IndexManifest) {
    this.files = files;
    this.manifest = manifest;
  }

  /** @throws ConfigError when the index is not there, or is not whole yet */
  static async open(files: IndexFiles): Promise<DeduplicationIndex> {
    const content = await files.read(manifestName);
    const manifest = content && (parseJson(content) as IndexManifest | undefined);
    if (manifest?.format !== "ingather-deduplication-index/1") {
      throw new ConfigError(
        `there is no whole deduplication index: ${manifestName} is ${content ? "no manifest" : "missing"}`,
      );
    }
    return new DeduplicationIndex(files, manifest);
  }

  /** The first capture of a URL with this content. @param digest in any case, without the name of its algorithm */
  async lookup(url: string, digest: string): Promise<IndexEntry | undefined> {
    if (this.manifest.entries === 0) return undefined;
    const shard = shardOf(url, this.manifest.shards);
    const block = lastNotAfter(await this.keysOf(shard), url);
    if (block === undefined) return undefined;
    const entries = unpackBlock(await this.files.readRange(blocksName(shard), block));
    const wanted = digest.toUpperCase();
    return entries.find((entry) => entry.url === url && entry.digest.toUpperCase() === wanted);
  }

  private keysOf(shard: number): Promise<BlockKey[]> {
    const known = this.keys.get(shard) ?? this.readKeys(shard);
    this.keys.set(shard, known);
    return known;
  }

  private async readKeys(shard: number): Promise<BlockKey[]> {
    const content = await this.files.read(keysName(shard));
    return content === undefined ? [] : parseKeys(new TextDecoder().decode(content));
  }
}

/** The last block that begins with the URL or before it. */
function lastNotAfter(keys: readonly BlockKey[], url: string): BlockKey | undefined {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle]?.firstUrl ?? "") <= url) low = middle + 1;
    else high = middle;
  }
  return keys[low - 1];
}

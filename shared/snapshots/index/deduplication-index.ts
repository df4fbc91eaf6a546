import { ConfigError, PlatformError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { IndexEntry } from "./index-entry.ts";
import {
  BlockKeys,
  blocksName,
  type IndexManifest,
  keysName,
  manifestName,
  shardOfUrl,
} from "./index-files.ts";
import { entriesOf } from "./shards/index-block.ts";

/** The files of an index, on disk or in a bucket. */
export interface IndexFiles {
  /** Reads a file. @returns undefined if it does not exist */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Reads `length` bytes from `offset` on. */
  readRange(name: string, range: { offset: number; length: number }): Promise<Uint8Array>;
}

/** Finds originals of captures. The keys of a shard are read at its first lookup, and then kept. */
export class DeduplicationIndex {
  private readonly files: IndexFiles;
  private readonly manifest: Pick<IndexManifest, "shards" | "entries">;
  private readonly keys = new Map<number, Promise<BlockKeys>>();

  /** @param manifest the manifest of a complete index */
  constructor(files: IndexFiles, manifest: Pick<IndexManifest, "shards" | "entries">) {
    this.files = files;
    this.manifest = manifest;
  }

  /** Opens an index. @throws ConfigError if the index is missing or incomplete */
  static async open(files: IndexFiles): Promise<DeduplicationIndex> {
    const content = await files.read(manifestName);
    const manifest = content && (parseJson(content) as IndexManifest | undefined);
    if (manifest?.format !== "ingather-deduplication-index/1") {
      throw new ConfigError(
        `the deduplication index is incomplete: its ${manifestName} is ${content ? "invalid" : "missing"}`,
      );
    }
    return new DeduplicationIndex(files, manifest);
  }

  /**
   * Returns the first capture of a URL with this content.
   * @param digest case-insensitive, without the name of its algorithm
   * @throws PlatformError if a file of the index is missing or damaged
   */
  async lookup(url: string, digest: string): Promise<IndexEntry | undefined> {
    if (this.manifest.entries === 0) return undefined;
    const wanted = Buffer.from(url);
    const shard = shardOfUrl(wanted, this.manifest.shards);
    const block = (await this.keysOf(shard)).find(wanted);
    if (block === undefined) return undefined;
    const content = await this.files.readRange(blocksName(shard), block);
    const entries = readEntries(content, wanted, blocksName(shard));
    return entries.find((entry) => entry.digest.toUpperCase() === digest.toUpperCase());
  }

  /** Returns the keys of a shard. Keys that could not be read are read again at the next lookup. */
  private keysOf(shard: number): Promise<BlockKeys> {
    const known = this.keys.get(shard);
    if (known !== undefined) return known;
    const keys = this.readKeys(shard);
    this.keys.set(shard, keys);
    keys.catch(() => this.keys.delete(shard));
    return keys;
  }

  private async readKeys(shard: number): Promise<BlockKeys> {
    const content = await this.files.read(keysName(shard));
    if (content === undefined) throw new PlatformError(`the deduplication index lacks ${keysName(shard)}`);
    return new BlockKeys(content);
  }
}

function readEntries(block: Uint8Array, url: Buffer, name: string): IndexEntry[] {
  try {
    return entriesOf(block, url);
  } catch (error) {
    throw new PlatformError(
      `a block of ${name} is damaged: ${error instanceof Error ? error.message : error}`,
    );
  }
}

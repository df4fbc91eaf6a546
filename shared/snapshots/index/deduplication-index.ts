import { gunzipSync } from "node:zlib";
import { ConfigError, PlatformError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import {
  BlockKeys,
  blocksName,
  type IndexManifest,
  keysName,
  manifestName,
  shardOfUrl,
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
  private readonly manifest: Pick<IndexManifest, "shards" | "entries">;
  private readonly keys = new Map<number, Promise<BlockKeys>>();

  /** @param manifest of an index that is whole */
  constructor(files: IndexFiles, manifest: Pick<IndexManifest, "shards" | "entries">) {
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

  /**
   * The first capture of a URL with this content.
   * @param digest in any case, without the name of its algorithm
   * @throws PlatformError when a file of the index is missing or damaged
   */
  async lookup(url: string, digest: string): Promise<IndexEntry | undefined> {
    if (this.manifest.entries === 0) return undefined;
    const wanted = Buffer.from(url);
    const shard = shardOfUrl(wanted, this.manifest.shards);
    const block = (await this.keysOf(shard)).find(wanted);
    if (block === undefined) return undefined;
    const content = decompress(await this.files.readRange(blocksName(shard), block), blocksName(shard));
    return entriesOf(content, wanted).find((entry) => entry.digest.toUpperCase() === digest.toUpperCase());
  }

  /** Keys that could not be read are read again at the next lookup. */
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

function decompress(block: Uint8Array, name: string): Buffer {
  try {
    return gunzipSync(block);
  } catch (error) {
    throw new PlatformError(
      `a block of ${name} is damaged: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** The entries of a URL in a block. */
function entriesOf(block: Buffer, url: Buffer): IndexEntry[] {
  const entries: IndexEntry[] = [];
  const beginning = Buffer.concat([url, Buffer.from(" ")]);
  for (let at = block.indexOf(beginning); at >= 0; at = block.indexOf(beginning, at + 1)) {
    if (at > 0 && block[at - 1] !== 0x0a) continue;
    const rest = block.toString("utf8", at + beginning.length, block.indexOf("\n", at));
    const [digest = "", date = "", ...origin] = rest.split(" ");
    entries.push({ url: url.toString(), digest, date, origin: origin.join(" ") });
  }
  return entries;
}

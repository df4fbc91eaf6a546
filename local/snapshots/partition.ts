import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shardOf } from "../../shared/snapshots/index/index-files.ts";

/** Characters that are gathered for a shard before they are written: with 64 shards, 16 MB. */
const bufferedCharacters = 128 * 1024;

/**
 * Lines of tab-separated fields, divided by the hash of their URL, the first field, into a file for each shard; so that the
 * lines of two files about one URL meet in one shard.
 */
export class Partition {
  private readonly folder: string;
  private readonly shards: number;
  private readonly buffers: string[];

  /** Begins anew: what the folder holds of an earlier attempt is overwritten. */
  constructor(folder: string, shards: number) {
    this.folder = folder;
    this.shards = shards;
    this.buffers = Array.from({ length: shards }, () => "");
    mkdirSync(folder, { recursive: true });
    for (let shard = 0; shard < shards; shard += 1) writeFileSync(partFile(folder, shard), "");
  }

  add(url: string, ...fields: string[]): void {
    const shard = shardOf(url, this.shards);
    const buffer = `${this.buffers[shard]}${url}\t${fields.join("\t")}\n`;
    if (buffer.length < bufferedCharacters) this.buffers[shard] = buffer;
    else this.flush(shard, buffer);
  }

  end(): void {
    for (const [shard, buffer] of this.buffers.entries()) this.flush(shard, buffer);
  }

  private flush(shard: number, buffer: string): void {
    if (buffer !== "") appendFileSync(partFile(this.folder, shard), buffer);
    this.buffers[shard] = "";
  }
}

/** The lines of a shard as fields. */
export function readPart(folder: string, shard: number): string[][] {
  const file = partFile(folder, shard);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => line.split("\t"));
}

function partFile(folder: string, shard: number): string {
  return join(folder, `${shard}.tsv`);
}

import { gunzipSync, gzipSync } from "node:zlib";
import { InputError } from "../../../core/errors.ts";

/** An item has at most 400 KB, with all else that it holds: a definition's history, the jobs of its index. */
const maxPackedBytes = 300_000;

/**
 * The seeds of a harvest as one compressed value of an item: 5,000 URLs may have more than an item takes.
 * @throws InputError when they are too many and too long all the same
 */
export function packSeeds(seeds: readonly string[]): Uint8Array {
  const packed = gzipSync(JSON.stringify(seeds));
  if (packed.byteLength <= maxPackedBytes) return packed;
  const [given, most] = [packed.byteLength, maxPackedBytes].map((bytes) => Math.ceil(bytes / 1000));
  throw new InputError(
    "seeds",
    `${seeds.length} URLs`,
    `take ${given} kB compressed, more than the ${most} kB that can be stored: make several definitions`,
  );
}

export function unpackSeeds(packed: Uint8Array): string[] {
  return JSON.parse(gunzipSync(packed).toString()) as string[];
}

import { gunzipSync, gzipSync } from "node:zlib";
import { variable } from "../../adapters/aws/environment.ts";
import { getObject, putObject } from "../../adapters/aws/s3.ts";
import { digest } from "../../core/digest.ts";
import { objectKeys } from "../../names.ts";

/** A reference to a list of seeds: an immutable object that is named by its content. */
interface SeedsObject {
  digest: string;
  count: number;
}

/** The seeds as stored in an item. Earlier versions stored the list itself, or the compressed list. */
export type StoredSeeds = SeedsObject | Uint8Array | string[];

/** The number of lists that a process caches, because each response of a job needs the job's list. */
const keptLists = 16;

/** Stores lists of seeds in the bucket of snapshots, because 5,000 URLs may exceed the size of an item. */
export class SeedLists {
  private readonly bucket = variable("snapshotsBucket");
  /** The cached lists by digest, most recently used last. */
  private readonly known = new Map<string, readonly string[]>();

  /**
   * Stores a list. Called before the item that refers to it is written. A process does not write a list
   * twice.
   */
  async store(seeds: readonly string[]): Promise<SeedsObject> {
    const json = JSON.stringify(seeds);
    const name = digest("seeds", json);
    if (!this.known.has(name)) {
      const content = gzipSync(json);
      await putObject(this.bucket, objectKeys.seeds(name), { content, contentType: "application/gzip" });
    }
    this.keep(name, seeds);
    return { digest: name, count: seeds.length };
  }

  async load(stored: StoredSeeds): Promise<readonly string[]> {
    if (Array.isArray(stored)) return stored;
    if (stored instanceof Uint8Array) return unpack(stored);
    const known = this.known.get(stored.digest);
    const seeds = known ?? unpack(await getObject(this.bucket, objectKeys.seeds(stored.digest)));
    this.keep(stored.digest, seeds);
    return seeds;
  }

  private keep(name: string, seeds: readonly string[]): void {
    this.known.delete(name);
    this.known.set(name, seeds);
    const [oldest] = this.known.keys();
    if (this.known.size > keptLists && oldest !== undefined) this.known.delete(oldest);
  }
}

function unpack(packed: Uint8Array): string[] {
  return JSON.parse(gunzipSync(packed).toString()) as string[];
}

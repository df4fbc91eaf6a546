import { gunzipSync, gzipSync } from "node:zlib";
import { variable } from "../../adapters/aws/environment.ts";
import { getObject, putObject } from "../../adapters/aws/s3.ts";
import { digest } from "../../core/digest.ts";
import { objectKeys } from "../../names.ts";

/** Where a list of seeds is: an object that is named by its content, and is never changed. */
interface SeedsObject {
  digest: string;
  count: number;
}

/** As an item holds it; earlier versions kept the list itself, or the list compressed. */
export type StoredSeeds = SeedsObject | Uint8Array | string[];

/** Lists that a process keeps: all answers of a job need those of the job. */
const keptLists = 16;

/** Lists of seeds in the bucket of snapshots: 5,000 URLs may have more than an item takes. */
export class SeedLists {
  private readonly bucket = variable("snapshotsBucket");
  /** By digest, the last used one last. */
  private readonly known = new Map<string, readonly string[]>();

  /** Stores a list before the item that refers to it. A list that is there already is not written again by its process. */
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

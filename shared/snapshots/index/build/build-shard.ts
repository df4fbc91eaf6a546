import { ConfigError } from "../../../core/errors.ts";
import { inParallel } from "../../../core/in-parallel.ts";
import { blocksName, formatKey, keysName } from "../index-files.ts";
import { ByteView } from "../lines/byte-view.ts";
import { joinCaptures } from "../shards/join-captures.ts";
import { packBlocks } from "../shards/pack-blocks.ts";
import type { BuildPorts } from "./build-ports.ts";
import { runName } from "./divide-input.ts";
import type { IndexPlan } from "./index-plan.ts";

/**
 * The outcome of a shard. The counts of jobs are lists in the order of the jobs: with 10,000 jobs and as many
 * shards, objects would be too large.
 */
export interface ShardReport {
  entries: number;
  indexed: number[];
  withoutOrigin: number[];
}

/** The maximum size of the records of a shard, because offsets are 31-bit numbers. */
const mostBytes = 2 ** 31 - 1;

/** The number of files that are read in parallel. */
const readsAtOnce = 16;

/**
 * Joins the records of one shard, and writes its blocks and their keys.
 * @param runs the number of runs of each division; 0 for a division of a missing job
 */
export async function buildShard(
  plan: IndexPlan,
  { shard, runs }: { shard: number; runs: readonly number[] },
  ports: BuildPorts,
): Promise<ShardReport> {
  const { records, jobEnds } = await readRecords(plan, { shard, runs }, ports);
  const { entries, jobs } = joinCaptures(records, jobEnds);
  const keys: Uint8Array[] = [];
  const contents = function* () {
    let offset = 0;
    for (const { firstUrl, content } of packBlocks(entries)) {
      const length = content.reduce((sum, piece) => sum + piece.byteLength, 0);
      keys.push(formatKey({ offset, length }, firstUrl));
      offset += length;
      yield* content;
    }
  };
  await ports.index.write(blocksName(shard), contents());
  await ports.index.write(keysName(shard), keys);
  return {
    entries: entries.fetched.length,
    indexed: jobs.map(({ indexed }) => indexed),
    withoutOrigin: jobs.map(({ withoutOrigin }) => withoutOrigin),
  };
}

/** Reads the records of a shard, job by job. */
async function readRecords(
  { divisions, jobs }: IndexPlan,
  { shard, runs }: { shard: number; runs: readonly number[] },
  { work }: BuildPorts,
): Promise<{ records: ByteView; jobEnds: number[] }> {
  const parts = divisions.flatMap(({ job }, division) =>
    Array.from({ length: runs[division] ?? 0 }, (_, run) => ({ job, name: runName(division, run) })),
  );
  const places = await inParallel(parts, readsAtOnce, async ({ name }) => {
    const place = new DataView(new ArrayBuffer(8));
    await work.readInto(name, 4 * shard, new Uint8Array(place.buffer));
    return { start: place.getUint32(0, true), end: place.getUint32(4, true) };
  });
  const jobEnds = new Array<number>(jobs.length).fill(0);
  let total = 0;
  const targets = parts.map(({ job, name }, index) => {
    const { start, end } = places[index] as { start: number; end: number };
    total += end - start;
    jobEnds[job] = total;
    return { name, start, from: total - (end - start), to: total };
  });
  // A job without a run ends where the job before it ends.
  for (let job = 1; job < jobEnds.length; job += 1) {
    jobEnds[job] = Math.max(jobEnds[job] as number, jobEnds[job - 1] as number);
  }
  if (total > mostBytes) {
    throw new ConfigError(
      `part ${shard} of the index would take ${total} bytes of memory: divide it into more parts`,
    );
  }
  const bytes = Buffer.allocUnsafeSlow(total);
  await inParallel(targets, readsAtOnce, async ({ name, start, from, to }) => {
    if (from < to) await work.readInto(name, start, bytes.subarray(from, to));
  });
  return { records: new ByteView(bytes), jobEnds };
}

import { readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { digest } from "../../../../shared/core/digest.ts";
import {
  type BuildStep,
  endDivisions,
  endIndex,
  type JobReport,
  type MissingJob,
} from "../../../../shared/snapshots/index/build/build-steps.ts";
import {
  type IndexPlan,
  type InputFile,
  type JobInput,
  planIndex,
} from "../../../../shared/snapshots/index/build/index-plan.ts";
import { manifestName } from "../../../../shared/snapshots/index/index-files.ts";
import { createFolder } from "../../../create-folder.ts";
import { BuildThreads } from "./build-threads.ts";
import { folderPorts } from "./index-folder.ts";

/** A job to index, with its files. */
export interface IndexedJob {
  jobId: string;
  /**
   * The paths of the files by kind. A metadata file of NetarchiveSuite (ARC or WARC) contains a crawl log and
   * CDXs.
   */
  files: Record<InputFile["kind"], string[]>;
}

export interface BuildOptions {
  jobs: IndexedJob[];
  /** The folder of the index. */
  folder: string;
  /** The number of shards; default: by the size of the files. */
  shards?: number;
  includesText: boolean;
  /**
   * The number of divisions or shards that are processed in parallel. Default: one per processor; for a few
   * files, no threads are started.
   */
  threads?: number;
  /** Ends the build after a division or shard; the next one resumes there. */
  signal?: AbortSignal;
  onProgress?: (done: { linesRead: number } | { shardsBuilt: number; of: number }) => void;
}

const divisionBytes = 32 * 1024 * 1024;

const bytesWithoutThreads = 8 * 1024 * 1024;

/**
 * Builds a deduplication index on several threads. A build that was killed is resumed: divided files and
 * written shards are kept. A job with a file that cannot be read is missing.
 * @throws the reason of the signal
 */
export async function buildIndex(
  options: BuildOptions,
): Promise<{ jobs: JobReport[]; missing: MissingJob[]; entries: number }> {
  const { folder, onProgress, signal } = options;
  const plan = planIndex(options.jobs.map(inputOf), { ...options, divisionBytes });
  createFolder(folder);
  rmSync(join(folder, manifestName), { force: true });
  const working = join(folder, `building-${digest("index build", JSON.stringify(plan))}`);
  const ports = folderPorts(folder, working);
  const threads = new BuildThreads({ plan, folder, working }, threadsFor(plan, options));
  try {
    await threads.run(numbers(plan.divisions.length, "division"), (result) => {
      signal?.throwIfAborted();
      if ("lines" in result) onProgress?.({ linesRead: result.lines });
    });
    await endDivisions(plan, ports);
    let shardsBuilt = 0;
    await threads.run(numbers(plan.shards, "shard"), () => {
      signal?.throwIfAborted();
      shardsBuilt += 1;
      onProgress?.({ shardsBuilt, of: plan.shards });
    });
  } finally {
    await threads.close();
  }
  const { manifest, jobs, missing } = await endIndex(plan, ports);
  await removeWork(folder);
  return { jobs, missing, entries: manifest.entries };
}

/**
 * Deletes the working files of this build and of abandoned builds. Deletions run in parallel, because files
 * of several gigabytes take time to delete.
 */
async function removeWork(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((name) => name.startsWith("building-"))) {
    const working = join(folder, name);
    await Promise.all(readdirSync(working).map((file) => rm(join(working, file))));
    await rm(working, { recursive: true });
  }
}

function inputOf({ jobId, files }: IndexedJob): JobInput {
  const inputs = (["crawl-log", "cdx", "metadata"] as const).flatMap((kind) =>
    files[kind].map((name): InputFile => {
      const { size, mtimeMs } = statSync(name);
      return { name, kind, sizeBytes: size, version: String(mtimeMs) };
    }),
  );
  return { jobId, files: inputs };
}

/** Returns the number of threads. Starting threads takes longer than reading a few files. */
function threadsFor({ jobs }: IndexPlan, { threads }: BuildOptions): number {
  if (threads !== undefined) return threads;
  const bytes = jobs.flatMap(({ files }) => files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes < bytesWithoutThreads ? 0 : availableParallelism();
}

function numbers(count: number, name: "division" | "shard"): BuildStep[] {
  return Array.from({ length: count }, (_, number) => ({ [name]: number }) as BuildStep);
}

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
  type StepResult,
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

/** A job to index, and its files. */
export interface IndexedJob {
  jobId: string;
  /** Paths. A metadata file of NetarchiveSuite (ARC or WARC) holds a crawl log and CDXs. */
  files: Record<InputFile["kind"], string[]>;
}

export interface BuildOptions {
  jobs: IndexedJob[];
  /** Where the index goes. */
  folder: string;
  /** Absent: by the size of the files. */
  shards?: number;
  includesText: boolean;
  /** How many divisions or shards are worked on at a time. Absent: one per processor, and none for a few files. */
  threads?: number;
  /** Ends the build after a division or shard; the next one resumes there. */
  signal?: AbortSignal;
  onProgress?: (done: { linesRead: number } | { shardsBuilt: number; of: number }) => void;
}

const divisionBytes = 32 * 1024 * 1024;

const bytesWithoutThreads = 8 * 1024 * 1024;

/**
 * Builds a deduplication index on several threads. A build that was killed continues with what it has: files that are
 * divided, shards that are written.
 * @throws Error for a file that cannot be read; the reason of the signal
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
      assertReadable(result);
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
 * Removes the files of this build and of others that were given up. Files of gigabytes take time to delete, side by
 * side less.
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

/** Threads take longer to start than to read a few files. */
function threadsFor({ jobs }: IndexPlan, { threads }: BuildOptions): number {
  if (threads !== undefined) return threads;
  const bytes = jobs.flatMap(({ files }) => files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes < bytesWithoutThreads ? 0 : availableParallelism();
}

function numbers(count: number, name: "division" | "shard"): BuildStep[] {
  return Array.from({ length: count }, (_, number) => ({ [name]: number }) as BuildStep);
}

function assertReadable(result: StepResult): void {
  if ("type" in result && result.type === "unreadable") throw new Error(`${result.file}: ${result.reason}`);
}

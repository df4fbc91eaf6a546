import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digest } from "../../shared/core/digest.ts";
import { parseJson } from "../../shared/core/parse-json.ts";
import { type CdxSkip, parseCdxLine } from "../../shared/snapshots/index/cdx-line.ts";
import { type CrawlLogSkip, parseCrawlLogLine } from "../../shared/snapshots/index/crawl-log-line.ts";
import {
  type BlockKey,
  blocksName,
  formatKeys,
  type IndexManifest,
  keysName,
  manifestName,
  packBlocks,
} from "../../shared/snapshots/index/index-files.ts";
import { CaptureJoin } from "../../shared/snapshots/index/join-captures.ts";
import { Partition, readPart } from "./partition.ts";
import { readArchive, readLines } from "./read-lines.ts";

/** The files of one job. */
export interface JobFiles {
  jobId: string;
  crawlLogs: string[];
  cdxs: string[];
  /** Metadata files of NetarchiveSuite (ARC or WARC), which hold a crawl log and CDXs. */
  metadata: string[];
}

export interface BuildOptions {
  jobs: JobFiles[];
  /** Where the index goes. */
  folder: string;
  shards: number;
  includesText: boolean;
  onProgress?: (done: { linesRead: number } | { shardsBuilt: number }) => void;
}

/** What was read of a job, and what was left out and why. */
export interface JobReport {
  jobId: string;
  lines: number;
  indexed: number;
  /** Left out, as no capture of them is stored. */
  withoutOrigin: number;
  /** Left out for their mime type. */
  text: number;
  skippedLogLines: Partial<Record<CrawlLogSkip, number>>;
  skippedCdxLines: Partial<Record<CdxSkip, number>>;
}

const linesPerReport = 100_000;

/**
 * Builds a deduplication index: the lines of each job are divided into shards on disk, then each shard is joined in memory.
 * A build that was killed goes on with what it has: jobs that are divided, shards that are written.
 * @throws Error for a file that cannot be read
 */
export async function buildIndex(options: BuildOptions): Promise<{ jobs: JobReport[]; entries: number }> {
  const { folder, shards, jobs } = options;
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, manifestName), { force: true });
  const working = join(folder, `building-${fingerprint(options)}`);
  mkdirSync(working, { recursive: true });
  const reports: JobReport[] = [];
  for (const [index, job] of jobs.entries()) {
    reports.push(
      await once(join(working, `job-${index}.json`), () =>
        divideJob(job, join(working, `job-${index}`), options),
      ),
    );
  }
  let entries = 0;
  for (let shard = 0; shard < shards; shard += 1) {
    const counted = await once(join(working, `shard-${shard}.json`), async () =>
      buildShard(shard, working, options),
    );
    entries += counted.entries;
    for (const [index, { indexed, withoutOrigin }] of counted.jobs.entries()) {
      const report = reports[index] as JobReport;
      report.indexed += indexed;
      report.withoutOrigin += withoutOrigin;
    }
    options.onProgress?.({ shardsBuilt: shard + 1 });
  }
  const manifest: IndexManifest = {
    format: "ingather-deduplication-index/1",
    shards,
    entries,
    jobs: jobs.map(({ jobId }) => jobId),
  };
  writeWhole(join(folder, manifestName), JSON.stringify(manifest));
  rmSync(working, { recursive: true });
  return { jobs: reports, entries };
}

/** The result of a step, from the file that it left when it was done before. */
async function once<Result>(file: string, step: () => Promise<Result>): Promise<Result> {
  if (existsSync(file)) return parseJson(readFileSync(file)) as Result;
  const result = await step();
  writeWhole(file, JSON.stringify(result));
  return result;
}

async function divideJob(job: JobFiles, folder: string, options: BuildOptions): Promise<JobReport> {
  const report: JobReport = {
    jobId: job.jobId,
    lines: 0,
    indexed: 0,
    withoutOrigin: 0,
    text: 0,
    skippedLogLines: {},
    skippedCdxLines: {},
  };
  const crawled = new Partition(join(folder, "crawled"), options.shards);
  const stored = new Partition(join(folder, "stored"), options.shards);
  const addLines = async (lines: AsyncIterable<string>, add: (line: string) => void) => {
    for await (const line of lines) {
      add(line);
      report.lines += 1;
      if (report.lines % linesPerReport === 0) options.onProgress?.({ linesRead: linesPerReport });
    }
  };
  const addCrawled = (line: string) => {
    const read = parseCrawlLogLine(line);
    if (typeof read === "string") report.skippedLogLines[read] = (report.skippedLogLines[read] ?? 0) + 1;
    else if (!options.includesText && read.mime.startsWith("text/")) report.text += 1;
    else crawled.add(read.url, read.digest, read.date, read.duplicateOf ?? "");
  };
  const addStored = (line: string) => {
    const read = parseCdxLine(line);
    if (typeof read === "string") report.skippedCdxLines[read] = (report.skippedCdxLines[read] ?? 0) + 1;
    else stored.add(read.url, read.date, read.file, read.offset);
  };
  for (const file of job.crawlLogs) await addLines(readLines(file), addCrawled);
  for (const file of job.cdxs) await addLines(readLines(file), addStored);
  for (const file of job.metadata) {
    for await (const { uri, content } of readArchive(file)) {
      if (/\/crawl\/logs\/crawl\.log\b/.test(uri)) await addLines(readLines(content), addCrawled);
      if (/\/crawl\/index\/cdx\b/.test(uri)) await addLines(readLines(content), addStored);
    }
  }
  crawled.end();
  stored.end();
  return report;
}

interface ShardReport {
  entries: number;
  /** In the order of the jobs. */
  jobs: { indexed: number; withoutOrigin: number }[];
}

function buildShard(shard: number, working: string, { folder, jobs }: BuildOptions): ShardReport {
  const captures = new CaptureJoin();
  const counts = jobs.map((_job, index) =>
    captures.add({
      crawled: readPart(join(working, `job-${index}`, "crawled"), shard).map(
        ([url = "", digest = "", date = "", duplicateOf = ""]) => ({
          url,
          digest,
          mime: "",
          date,
          ...(duplicateOf !== "" && { duplicateOf }),
        }),
      ),
      stored: readPart(join(working, `job-${index}`, "stored"), shard).map(
        ([url = "", date = "", file = "", offset = ""]) => ({ url, date, file, offset }),
      ),
    }),
  );
  const entries = captures.sorted();
  const keys: BlockKey[] = [];
  const blocks: Uint8Array[] = [];
  let offset = 0;
  for (const { firstUrl, content } of packBlocks(entries)) {
    keys.push({ firstUrl, offset, length: content.byteLength });
    blocks.push(content);
    offset += content.byteLength;
  }
  writeWhole(join(folder, blocksName(shard)), Buffer.concat(blocks));
  writeWhole(join(folder, keysName(shard)), formatKeys(keys));
  return { entries: entries.length, jobs: counts };
}

/** The same for the same build: what was begun with other files or settings is not gone on with. */
function fingerprint({ jobs, shards, includesText }: BuildOptions): string {
  const files = jobs.flatMap(({ crawlLogs, cdxs, metadata }) => [...crawlLogs, ...cdxs, ...metadata]);
  const states = files.map((file) => [file, statSync(file).size, statSync(file).mtimeMs]);
  const content = JSON.stringify([jobs, shards, includesText, states]);
  return digest("index build", content);
}

/** All of a file or nothing, also when the process is killed. */
function writeWhole(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.part`, content);
  renameSync(`${file}.part`, file);
}

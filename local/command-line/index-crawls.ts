import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { InputError } from "../../shared/core/errors.ts";
import { pluralize } from "../../shared/core/pluralize.ts";
import type { JobReport } from "../../shared/snapshots/index/build/build-steps.ts";
import { maxShards } from "../../shared/snapshots/index/build/index-plan.ts";
import { type BuildOptions, buildIndex, type IndexedJob } from "../snapshots/index/build-index.ts";
import type { Command, CommandIo } from "./command.ts";
import { argumentError } from "./parse-arguments.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather index --job ID --crawl-log FILE --cdx FILE ... [--job ID ...] --out DIR [options]

Builds a deduplication index from the crawl logs and CDXs of earlier jobs: of each URL the digests that were captured, when,
and where. The files that follow a --job are that job's; each may be given several times, and be compressed (.gz).

  --job ID          begins a job
  --crawl-log FILE  a crawl.log of Heritrix
  --cdx FILE        a CDX of NetarchiveSuite, or a CDXJ
  --metadata FILE   a metadata ARC or WARC of NetarchiveSuite, which holds a crawl log and CDXs
  --out DIR         where the index goes
  --include-text    indexes texts, too; without it mime types that begin with text/ are left out
  --shards N        parts of the index, each built in memory (by the size of the files)
  --threads N       files and parts that are worked on at a time (one per processor)
  --json            one JSON object per job, and last a summary
  --help            show this

A build that was stopped goes on where it was when the same command is given again.
Exit code: 0 the index is built, 1 a file cannot be read, 2 wrong use.
`;

const options = {
  job: { type: "string", multiple: true },
  "crawl-log": { type: "string", multiple: true },
  cdx: { type: "string", multiple: true },
  metadata: { type: "string", multiple: true },
  out: { type: "string" },
  "include-text": { type: "boolean", default: false },
  shards: { type: "string" },
  threads: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

const maxThreads = 256;

const lists = { "crawl-log": "crawlLogs", cdx: "cdxs", metadata: "metadata" } as const;

export const indexCommand: Command = {
  usage,
  async run(args, io) {
    const { out, json, ...build } = parse(args);
    for (const warning of build.jobs.flatMap((job) => whatLacks(job) ?? [])) io.stderr.write(`${warning}\n`);
    let linesRead = 0;
    const onProgress: BuildOptions["onProgress"] = (done) => {
      if (io.stderr.isTTY !== true) return;
      if ("linesRead" in done) linesRead += done.linesRead;
      const state =
        "linesRead" in done ? `${linesRead} lines read` : `${done.shardsBuilt} of ${done.of} shards built`;
      io.stderr.write(`\r\x1b[K${state}`);
    };
    try {
      const { jobs: reports, entries } = await buildIndex({ ...build, folder: out, onProgress });
      if (io.stderr.isTTY === true) io.stderr.write("\r\x1b[K");
      print(reports, entries, { json, out, io });
      return 0;
    } catch (error) {
      if (!(error instanceof Error) || error instanceof InputError) throw error;
      io.stderr.write(`The index cannot be built: ${printable(error.message)}\n`);
      return 1;
    }
  },
};

function parse(args: string[]) {
  const { values, positionals, tokens } = readArguments(args);
  if (positionals[0] !== undefined) throw new InputError("argument", positionals[0], "is not expected here");
  if (values.out === undefined || values.out === "")
    throw new InputError("--out", values.out, "must name a folder");
  const number = (name: "shards" | "threads", max: number) => {
    const text = values[name];
    if (text === undefined) return {};
    if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > max)
      throw new InputError(`--${name}`, text, `must be 1 to ${max}`);
    return { [name]: Number(text) };
  };
  const numbers = { ...number("shards", maxShards), ...number("threads", maxThreads) };
  const jobs: IndexedJob[] = [];
  for (const { kind, ...token } of tokens) {
    if (kind !== "option" || !("name" in token)) continue;
    const { name, value = "" } = token as { name: string; value?: string };
    if (name === "job") jobs.push({ jobId: jobName(value, jobs), crawlLogs: [], cdxs: [], metadata: [] });
    if (!Object.hasOwn(lists, name)) continue;
    const job = jobs.at(-1);
    if (job === undefined)
      throw new InputError(`--${name}`, value, "must follow the --job that it belongs to");
    if (!existsSync(value)) throw new InputError(`--${name}`, value, "there is no such file");
    if (statSync(value).isDirectory()) throw new InputError(`--${name}`, value, "is a folder, not a file");
    job[lists[name as keyof typeof lists]].push(value);
  }
  if (jobs.length === 0) throw new InputError("--job", undefined, "must be given at least once");
  const empty = jobs.find(
    ({ crawlLogs, cdxs, metadata }) => [...crawlLogs, ...cdxs, ...metadata].length === 0,
  );
  if (empty !== undefined) throw new InputError("--job", empty.jobId, "has no file");
  return {
    jobs,
    out: values.out,
    includesText: values["include-text"],
    ...numbers,
    json: values.json,
  };
}

/** A crawl log and CDXs are joined: alone, neither leads far. */
function whatLacks({ jobId, crawlLogs, cdxs, metadata }: IndexedJob): string | undefined {
  if (metadata.length > 0) return undefined;
  if (crawlLogs.length === 0) return `job ${jobId} has no crawl log: nothing of it is indexed`;
  if (cdxs.length > 0) return undefined;
  return `job ${jobId} has no CDX: only captures that name their original are indexed`;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw argumentError(error, args, Object.keys(options));
  }
}

function jobName(value: string, jobs: IndexedJob[]): string {
  if (!/^[\w.-]{1,64}$/.test(value)) {
    throw new InputError("--job", value, "must be 1 to 64 letters, digits, dots, - or _");
  }
  if (jobs.some(({ jobId }) => jobId === value)) throw new InputError("--job", value, "is given twice");
  return value;
}

function print(
  reports: JobReport[],
  entries: number,
  { json, out, io }: { json: boolean; out: string; io: CommandIo },
): void {
  if (json) {
    for (const report of reports) io.stdout.write(`${JSON.stringify({ type: "job", ...report })}\n`);
    io.stdout.write(`${JSON.stringify({ type: "summary", entries, jobs: reports.length })}\n`);
    return;
  }
  for (const { jobId, indexed, withoutOrigin, text, skippedLogLines, skippedCdxLines } of reports) {
    io.stdout.write(
      `job ${jobId}: ${indexed} indexed, ${withoutOrigin} not stored, ${text} texts left out\n`,
    );
    for (const [what, skipped] of [
      ["crawl log", skippedLogLines],
      ["CDX", skippedCdxLines],
    ] as const) {
      for (const [reason, count] of Object.entries(skipped)) {
        io.stdout.write(`  ${pluralize(count, "line")} of the ${what} skipped: ${reason}\n`);
      }
    }
  }
  io.stdout.write(`${entries === 1 ? "1 entry" : `${entries} entries`} in ${out}\n`);
}

import { existsSync, statSync } from "node:fs";
import { InputError } from "../../../shared/core/errors.ts";
import { pluralize } from "../../../shared/core/pluralize.ts";
import type { JobReport, MissingJob } from "../../../shared/snapshots/index/build/build-steps.ts";
import { maxShards } from "../../../shared/snapshots/index/build/index-plan.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import { type BuildOptions, buildIndex, type IndexedJob } from "../snapshots/index/build-index.ts";
import type { Command, CommandIo } from "./command.ts";
import { printable } from "./printable.ts";
import { parseWholeNumber } from "./whole-number-option.ts";

const usage = `npx ingather index --job ID --crawl-log FILE --cdx FILE ... [--job ID ...] --out DIR [options]

Builds a deduplication index from the crawl logs and CDXs of earlier jobs. The index lists the captured digests of
each URL, with the time and the WARC or ARC file of each. A file belongs to the --job before it. File options may be
repeated, and files may be compressed (.gz).

  --job ID          starts a job
  --crawl-log FILE  a crawl.log of Heritrix
  --cdx FILE        a CDX with a header line (" CDX N b a …"), a CDX of NetarchiveSuite, or a CDXJ
  --metadata FILE   a metadata ARC or WARC of NetarchiveSuite, which holds a crawl log and CDXs
  --out DIR         the folder of the index
  --include-text    also index MIME types that begin with text/ (default: they are skipped)
  --shards N        parts of the index, each built in memory (default: by the size of the files)
  --threads N       files and parts that are processed in parallel (default: one per processor)
  --json            one JSON object per job, then a summary with the missing jobs
  --help            show this

The same command resumes a build that was stopped.
A job with a file that cannot be read, or without any usable line, is left out of the index and reported on standard
error.
Exit code: 0 the index is built, 1 a file cannot be read, a job is missing or there is no entry, 2 wrong use,
130 stopped by Ctrl-C, 143 by SIGTERM.
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

export const indexCommand: Command = {
  usage,
  async run(args, io) {
    const { out, json, ...build } = parse(args);
    let linesRead = 0;
    const onProgress: BuildOptions["onProgress"] = (done) => {
      if (io.stderr.isTTY !== true) return;
      if ("linesRead" in done) linesRead += done.linesRead;
      const state =
        "linesRead" in done ? `${linesRead} lines read` : `${done.shardsBuilt} of ${done.of} shards built`;
      io.stderr.write(`\r\x1b[K${state}`);
    };
    try {
      const {
        jobs: reports,
        missing,
        entries,
      } = await buildIndex({
        ...build,
        folder: out,
        signal: io.signal,
        onProgress,
      });
      if (io.stderr.isTTY === true) io.stderr.write("\r\x1b[K");
      print({ reports, missing, entries }, { json, out, io });
      for (const { jobId } of reports.filter((report) => lacksCdx(build.jobs, report)))
        io.stderr.write(
          `job ${jobId} has no CDX, so only captures whose line in the crawl log names their original are indexed\n`,
        );
      for (const { jobId, reason } of missing)
        io.stderr.write(`job ${jobId} is not in the index: ${printable(reason)}\n`);
      if (entries === 0) io.stderr.write("The index has no entries, because no usable capture was found\n");
      return missing.length === 0 && entries > 0 ? 0 : 1;
    } catch (error) {
      if (io.signal.aborted && error === io.signal.reason) return stoppedExitCode(io.signal);
      if (!(error instanceof Error) || error instanceof InputError) throw error;
      io.stderr.write(`The index cannot be built: ${printable(error.message)}\n`);
      return 1;
    }
  },
};

function parse(args: string[]) {
  const { values, positionals, tokens } = parseArguments(args, options);
  if (positionals[0] !== undefined) throw new InputError("argument", positionals[0], "is not expected here");
  if (values.out === undefined || values.out === "")
    throw new InputError("--out", values.out, "must name a folder");
  const number = (name: "shards" | "threads", max: number) => {
    const text = values[name];
    return text === undefined ? {} : { [name]: parseWholeNumber(`--${name}`, text, { min: 1, max }) };
  };
  const numbers = { ...number("shards", maxShards), ...number("threads", maxThreads) };
  return {
    jobs: jobsIn(tokens),
    out: values.out,
    includesText: values["include-text"],
    ...numbers,
    json: values.json,
  };
}

/** Returns the jobs of a command line, each with the files that follow it. @throws InputError */
function jobsIn(tokens: ReturnType<typeof parseArguments>["tokens"]): IndexedJob[] {
  const jobs: IndexedJob[] = [];
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, value = "" } = token;
    if (name === "job") {
      jobs.push({ jobId: jobName(value, jobs), files: { "crawl-log": [], cdx: [], metadata: [] } });
    } else if (isFileKind(name)) {
      const job = jobs.at(-1);
      if (job === undefined)
        throw new InputError(`--${name}`, value, "must follow the --job to which it belongs");
      if (!existsSync(value)) throw new InputError(`--${name}`, value, "does not exist");
      if (statSync(value).isDirectory()) throw new InputError(`--${name}`, value, "is a folder, not a file");
      job.files[name].push(value);
    }
  }
  if (jobs.length === 0) throw new InputError("--job", undefined, "must be given at least once");
  const empty = jobs.find(({ files }) => Object.values(files).flat().length === 0);
  if (empty !== undefined)
    throw new InputError("--job", empty.jobId, "has no file; add --crawl-log, --cdx or --metadata after it");
  return jobs;
}

function isFileKind(option: string): option is keyof IndexedJob["files"] {
  return option === "crawl-log" || option === "cdx" || option === "metadata";
}

/**
 * Returns whether an indexed job has a crawl log but no CDX. Without a CDX to join it with, only log lines that name
 * their original can be indexed.
 */
function lacksCdx(jobs: readonly IndexedJob[], { jobId }: JobReport): boolean {
  const files = jobs.find((job) => job.jobId === jobId)?.files;
  return files !== undefined && files.metadata.length + files.cdx.length === 0;
}

function jobName(value: string, jobs: IndexedJob[]): string {
  if (!/^[\w.-]{1,64}$/.test(value)) {
    throw new InputError("--job", value, "must be 1 to 64 letters, digits, dots, - or _");
  }
  if (jobs.some(({ jobId }) => jobId === value)) throw new InputError("--job", value, "is given twice");
  return value;
}

function print(
  { reports, missing, entries }: { reports: JobReport[]; missing: MissingJob[]; entries: number },
  { json, out, io }: { json: boolean; out: string; io: CommandIo },
): void {
  if (json) {
    for (const report of reports) io.stdout.write(`${JSON.stringify({ type: "job", ...report })}\n`);
    io.stdout.write(
      `${JSON.stringify({ type: "summary", complete: missing.length === 0, entries, jobs: reports.length, missing })}\n`,
    );
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

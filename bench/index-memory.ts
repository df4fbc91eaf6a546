/**
 * Measures the largest steps of an index build with the memory of the functions: the end of an index of many
 * jobs and shards, and the last range of a compressed crawl log. Files are generated as they are read;
 * nothing is written.
 *
 * Usage: npx node bench/index-memory.ts end [--jobs 10000] [--shards 5000]
 *   npx node bench/index-memory.ts log [--gigabytes 8] [--range LAST]
 */
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { BuildPorts, WrittenFiles } from "../shared/snapshots/index/build/build-ports.ts";
import { endIndex } from "../shared/snapshots/index/build/build-steps.ts";
import { divideInput } from "../shared/snapshots/index/build/divide-input.ts";
import { type InputFile, planIndex } from "../shared/snapshots/index/build/index-plan.ts";
import { logTexts } from "./index-logs.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: "string", default: "10000" },
    shards: { type: "string", default: "5000" },
    gigabytes: { type: "string", default: "8" },
    range: { type: "string" },
  },
});

const megabyte = 1024 * 1024;
const none: WrittenFiles = { read: async () => undefined, readInto: async () => {}, write: async () => {} };

async function end(jobs: number, shards: number): Promise<void> {
  const inputs = Array.from({ length: jobs }, (_, job) => ({
    jobId: String(job + 1),
    files: [file(`jobs/${job}/crawl.log`, megabyte), { ...file(`jobs/${job}/cdx`, megabyte), kind: "cdx" }],
  }));
  const plan = planIndex(inputs as Parameters<typeof planIndex>[0], {
    includesText: false,
    divisionBytes: 128 * megabyte,
    shards,
  });
  const outcome = {
    type: "divided",
    runs: 1,
    lines: 5000,
    text: 9,
    skippedLogLines: {},
    skippedCdxLines: {},
  };
  const counts = Array.from({ length: jobs }, (_, job) => 100 + (job % 9000));
  const report = Buffer.from(JSON.stringify({ entries: 1_000_000, indexed: counts, withoutOrigin: counts }));
  const work: WrittenFiles = {
    ...none,
    async read(name) {
      if (name === "divided.json") return Buffer.from('{"runs":[],"missing":[]}');
      return name.startsWith("shard-") ? Uint8Array.from(report) : Buffer.from(JSON.stringify(outcome));
    },
  };
  const { manifest } = await endIndex(plan, { work, index: none, input: () => emptyFile() });
  print({ jobs, shards, entries: manifest.entries, readMB: Math.round((shards * report.length) / 1e6) });
}

async function log(gigabytes: number): Promise<void> {
  const text = Buffer.from([...logTexts(1, 500_000)].join(""));
  // Consecutive gzip members are read as one content.
  const member = gzipSync(text);
  const members = Math.ceil((gigabytes * 1e9) / member.length);
  const input = { ...file("crawl.log.gz", members * member.length) };
  const plan = planIndex([{ jobId: "1", files: [input] }], {
    includesText: false,
    divisionBytes: 128 * megabyte,
    compressedDivisionBytes: 512 * megabyte,
  });
  const range = Number(values.range ?? plan.divisions.length - 1);
  let writtenBytes = 0;
  const ports: BuildPorts = {
    async *input() {
      for (let count = 0; count < members; count += 1) {
        for (let at = 0; at < member.length; at += 64 * 1024) yield member.subarray(at, at + 64 * 1024);
      }
    },
    work: {
      ...none,
      async write(_name, content) {
        for (const piece of content) writtenBytes += piece.length;
      },
    },
    index: none,
  };
  const outcome = await divideInput(plan, range, ports);
  print({
    compressedGB: input.sizeBytes / 1e9,
    contentGB: (members * text.length) / 1e9,
    ranges: plan.divisions.length,
    shards: plan.shards,
    range,
    lines: outcome.type === "divided" ? outcome.lines : outcome.reason,
    writtenMB: Math.round(writtenBytes / 1e6),
  });
}

function file(name: string, sizeBytes: number): InputFile {
  return { name, kind: "crawl-log", sizeBytes, version: "1" };
}

async function* emptyFile(): AsyncGenerator<Uint8Array> {}

function print(figures: object): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
  console.log({
    ...figures,
    seconds: performance.now() / 1000,
    cpuSeconds,
    peakMB: Math.round(maxRSS / 1024),
  });
}

if (positionals[0] === "end") await end(Number(values.jobs), Number(values.shards));
else await log(Number(values.gigabytes));

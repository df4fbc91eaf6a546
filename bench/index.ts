/**
 * Measures the build of a deduplication index from crawl logs and CDXs of 8 jobs: `npx ingather index` is
 * compared with GNU sort and join of the same files, with the same number of parallel processes. Rounds
 * alternate. A third of the captures are texts, which the index skips unless --include-text is given; sort
 * and join process all captures. Then measures lookups from disk.
 *
 * Usage: npx node bench/index.ts [--lines 500000] [--rounds 3] [--processes 4] [--lookups 20000]
 * [--include-text]
 *   [--folder DIR]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { withIndex } from "../local/cli/snapshots/index/open-index.ts";
import { jobs, writeLogs } from "./index-logs.ts";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "500000" },
    rounds: { type: "string", default: "3" },
    processes: { type: "string", default: "4" },
    lookups: { type: "string", default: "20000" },
    "include-text": { type: "boolean", default: false },
    folder: { type: "string", default: tmpdir() },
  },
});
const processes = Number(values.processes);
const folder = mkdtempSync(join(values.folder, "bench-index-"));
const index = join(folder, "index");

/** A script for each process, which sorts and joins one job at a time. */
const sortAndJoin = `
one() {
  sort -S 512M --parallel=1 -T . -k4b,4 $1.log > sorted/$1.log &&
  sort -S 512M --parallel=1 -T . -k1,1 $1.cdx > sorted/$1.cdx &&
  join -1 4 -2 1 sorted/$1.log sorted/$1.cdx > sorted/$1.joined
}
export -f one
printf '%s\\n' ${jobs.join(" ")} | xargs -P ${processes} -I JOB bash -c 'one JOB'
`;

interface Run {
  seconds: number;
  peakMiB: number;
}

async function build(): Promise<Run> {
  rmSync(index, { recursive: true, force: true });
  const files = jobs.flatMap((job) => [
    ...["--job", String(job)],
    ...["--crawl-log", join(folder, `${job}.log`)],
    ...["--cdx", join(folder, `${job}.cdx`)],
  ]);
  const options = ["--out", index, "--threads", String(processes)];
  if (values["include-text"]) options.push("--include-text");
  const ingather = join(import.meta.dirname, "../local/ingather.js");
  return timed(() => spawn(process.execPath, [ingather, "index", ...files, ...options], { stdio: "ignore" }));
}

async function sort(): Promise<Run> {
  mkdirSync(join(folder, "sorted"));
  const env = { ...process.env, LC_ALL: "C" };
  const run = await timed(() => spawn("bash", ["-c", sortAndJoin], { cwd: folder, stdio: "inherit", env }));
  rmSync(join(folder, "sorted"), { recursive: true });
  return run;
}

async function timed(start: () => ChildProcess): Promise<Run> {
  const begin = performance.now();
  const child = start();
  let peakMiB = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // The process has ended.
    }
  }, 50);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`a command ended with ${code}`);
  return { seconds: (performance.now() - begin) / 1000, peakMiB };
}

/** Looks up captures from all parts of the first job, and the same number with other digests. */
async function lookUp(count: number): Promise<void> {
  const pairs: [string, string][] = [];
  const step = Math.max(1, Math.floor(Number(values.lines) / jobs.length / count));
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(join(folder, "1.log")) })) {
    line += 1;
    if (line % step !== 0) continue;
    const [, , , url = "", , , , , , digest = ""] = text.split(/ +/);
    pairs.push([url, digest.slice("sha1:".length)]);
  }
  // Neighbours in the log are not neighbours in the index. In addition, consecutive lookups never belong to
  // the same page.
  pairs.sort(([, a], [, b]) => (a < b ? -1 : 1));
  const times: number[] = [];
  let found = 0;
  await withIndex(index, async (opened) => {
    for (const [url, digest] of pairs) {
      for (const wanted of [digest, `${digest}X`]) {
        const begin = performance.now();
        if ((await opened.lookup(url, wanted)) !== undefined) found += 1;
        times.push(performance.now() - begin);
      }
    }
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)]?.toFixed(2);
  console.log(
    `${times.length} lookups, ${found} found: median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${times.at(-1)?.toFixed(2)} ms`,
  );
}

try {
  await writeLogs(folder, Number(values.lines));
  const ratios: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const ours = await build();
    const theirs = await sort();
    ratios.push(ours.seconds / theirs.seconds);
    console.log(
      `ingather ${ours.seconds.toFixed(1)} s, ${ours.peakMiB.toFixed(0)} MiB with ${processes} threads; sort and join ${theirs.seconds.toFixed(1)} s: ${ratios.at(-1)?.toFixed(2)} times the time`,
    );
  }
  ratios.sort((a, b) => a - b);
  console.log(`median: ${ratios[Math.floor(ratios.length / 2)]?.toFixed(2)} times the time`);
  await lookUp(Number(values.lookups) / 2);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Measures a harvest and delivery on the local cloud, without a delay between requests: articles per second,
 * processor time per article, the size of the state folder, and the peak of the resident memory of all
 * threads, sampled every 200 ms.
 *
 * Usage: npx node bench/local-cloud.ts [--hosts N] [--articles N, per host] [--profile DIR]
 *   --profile DIR   also writes CPU profiles of all threads
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { NewSource } from "../shared/records/sources/source.ts";

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: "125" },
    articles: { type: "string", default: "80" },
    profile: { type: "string" },
    harvest: { type: "string" },
    state: { type: "string" },
  },
});
const hosts = Number(values.hosts);
const articles = Number(values.articles);

if (values.harvest !== undefined) await harvest(Number(values.harvest), values.state ?? "");
else await measure();

async function measure(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "local-cloud-"));
  const sites = fork(join(import.meta.dirname, "local-cloud-sites.ts"), [String(hosts), String(articles)]);
  try {
    const [port] = (await once(sites, "message")) as [number];
    const profiling = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];
    const args = [
      import.meta.filename,
      "--harvest",
      String(port),
      "--state",
      state,
      "--hosts",
      String(hosts),
    ];
    const startedAt = performance.now();
    // The same options as in npm start, like the variable below. Heaps that grow in small steps take a third
    // less memory.
    const heap = ["--max-semi-space-size=8", "--heap-growing-percent=30"];
    const child = spawn(process.execPath, [...heap, ...profiling, ...args], {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, MALLOC_ARENA_MAX: "2" },
    });
    let usage = { peakMiB: 0, cpuSeconds: 0 };
    const timer = setInterval(() => {
      const now = usageOf(child.pid ?? 0);
      if (now !== undefined && !Number.isNaN(now.peakMiB)) usage = now;
    }, 200);
    const [code] = await once(child, "exit");
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    const count = hosts * articles;
    console.log(
      [
        `${count} articles on ${hosts} hosts in ${seconds.toFixed(1)} s (exit code ${code}): ${(count / seconds).toFixed(0)} articles/s`,
        `processor ${((usage.cpuSeconds / count) * 1000).toFixed(1)} ms per article`,
        `peak ${usage.peakMiB.toFixed(0)} MiB`,
        `state ${(sizeOf(state) / 2 ** 20).toFixed(0)} MiB`,
      ].join(", "),
    );
  } finally {
    sites.kill();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Returns the bytes of all files in a folder. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/**
 * Returns the memory and processor time of a process. @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function usageOf(pid: number): { peakMiB: number; cpuSeconds: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
    return { peakMiB: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024, cpuSeconds: (user + system) / 100 };
  } catch {
    return undefined;
  }
}

/** Runs in the measured process. Does the work of `npm start -- --once`, without a delay. */
async function harvest(port: number, stateDir: string): Promise<void> {
  const { openCloud } = await import("../local/open-cloud.ts");
  const origins = Array.from({ length: hosts }, (_, index) => `http://127.0.2.${index + 1}:${port}`);
  const cloud = await openCloud({
    stateDir,
    apiPort: 0,
    schedules: "none",
    polling: false,
    allowedPrivateHosts: origins.map((origin) => new URL(origin).host),
    defaultDelayMs: 0,
    onLog: (line) => line.level === "ERROR" && console.error(`${line.functionName}: ${line.message}`),
  });
  const { runDelivery, storeConfiguration } = await import("../local/start/run-delivery.ts");
  const { feedSource } = await import("../local/local-group.ts");
  const sources: NewSource[] = origins.map((origin) => ({ ...feedSource(`${origin}/feed`), throttleMs: 0 }));
  await storeConfiguration(sources);
  cloud.resumePolling();
  const { signal } = new AbortController();
  const reports = await runDelivery(sources, { print: () => undefined, signal });
  const { describeRun } = await import("../local/start/follow-run.ts");
  for (const report of reports) console.log(describeRun(report)[0]);
  await cloud.stop();
  process.exit(0);
}

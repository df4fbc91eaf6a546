/**
 * By hand: harvests 50 journals of 200 articles with `npm start -- --once` and a new state, and prints whether every
 * article was delivered and every tally closed.
 *
 *     npx node test/cloud/whole-run.ts [journals] [articles]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openIdleCloud } from "../../local/open-cloud.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { reportRun } from "../../shared/deliver/report/report.ts";
import { startJournals } from "./chaos/journals.ts";
import { openTalliesOf } from "./chaos/open-tallies.ts";

const root = join(import.meta.dirname, "../..");
const [journals = 50, articles = 200] = process.argv.slice(2).map(Number);

/** Runs `npm start -- --once` in a process of its own. @returns seconds and the peak of its memory in MiB */
async function startOnce(
  stateDir: string,
  feeds: string[],
): Promise<{ code: number; seconds: number; peakMiB: number }> {
  const startedAt = performance.now();
  const args = [
    "--disable-warning=ExperimentalWarning",
    "local/start.ts",
    "--once",
    "--state",
    stateDir,
    "--port",
    "0",
  ];
  const child = spawn(process.execPath, [...args, ...feeds.flatMap((feed) => ["--feed", feed])], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let peakMiB = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^(delivering|finished|failed)/.test(line)) console.log(line);
    peakMiB = Math.max(peakMiB, peakMiBOf(child.pid));
  }
  const code = child.exitCode ?? (await once(child, "close"))[0];
  return { code, seconds: Math.round((performance.now() - startedAt) / 1000), peakMiB };
}

/** The highest resident memory of a process so far; 0 where the system does not say. */
function peakMiBOf(pid: number | undefined): number {
  try {
    const [, kB = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kB) / 1024);
  } catch {
    return 0;
  }
}

/** What the run in a state has kept. */
async function keptIn(stateDir: string) {
  const cloud = await openIdleCloud(stateDir);
  try {
    const store = runStore();
    const [run] = await store.listLatest("LIVE", { limit: 1 });
    if (run === undefined) throw new Error("there is no run");
    const { totals, sources } = await reportRun(run.runId, store);
    const openTallies = await openTalliesOf(run.runId, store, sources);
    return {
      state: run.state,
      listed: sources.reduce((sum, { entries }) => sum + entries, 0),
      totals,
      openTallies,
    };
  } finally {
    await cloud.stop();
  }
}

const site = await startJournals({ journals, articles });
const stateDir = mkdtempSync(join(tmpdir(), "ingather-whole-"));
const { code, seconds, peakMiB } = await startOnce(
  stateDir,
  site.hosts.map((host) => `http://${host}/feed`),
);
const { state, listed, totals, openTallies } = await keptIn(stateDir);
const files = globSync("deliveries/**/*.xml", { cwd: stateDir }).map((file) => join(stateDir, file));
const inFiles = files.flatMap((file) => readFileSync(file, "utf8").match(/<record>/g) ?? []).length;
const stateMiB = globSync("**/*", { cwd: stateDir })
  .map((file) => statSync(join(stateDir, file)))
  .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
console.log(
  `exit code ${code}, ${state}; ${listed} listed, ${totals.converted} converted, ${totals.delivered} delivered, ` +
    `${inFiles} in files, ${Object.keys(openTallies).length} tallies open; ${seconds} s, ${peakMiB} MiB, ` +
    `state ${Math.round(stateMiB / 1024 / 1024)} MiB`,
);
rmSync(stateDir, { recursive: true, force: true });
await site.provider.close();
process.exit(0);

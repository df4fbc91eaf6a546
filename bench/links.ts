/**
 * Measures link checking: 50,000 links on 200 loopback hosts (90 % 200, 5 % 404, 3 % 301 to 200, 2 % 500),
 * one at a time per host, without delay.
 * Contestants are Ingather's checker without and with rules, a raw undici loop (one Client per host, bodies
 * drained), and other checkers. Rounds alternate, so that a busy machine slows all contestants. Each ratio
 * compares a contestant with the raw loop of the same round; the median counts. Slow contestants run once and
 * are compared with the raw loop's best round. A second comparison, on fewer links, uses the delays of
 * Debian's linkchecker: 0.1 to 0.6 s between requests to a host.
 *
 * Usage: npx node bench/links.ts [--links N] [--hosts N] [--rounds N] [--others DIR] [--linkchecker]
 *   --others DIR    also linkinator and broken-link-checker, one round each, after
 *                   npm install --prefix DIR linkinator@8 broken-link-checker@0.7
 *   --linkchecker   also the linkchecker on the PATH, after apt-get install linkchecker
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Contest, contestants, type Result } from "./links-contestants.ts";
import type { LinkSet } from "./links-server.ts";

const { values } = parseArgs({
  options: {
    links: { type: "string", default: "50000" },
    hosts: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
    others: { type: "string" },
    linkchecker: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log("npx node bench/links.ts [--links N] [--hosts N] [--rounds N] [--others DIR] [--linkchecker]");
  process.exit(0);
}

/** The Node options of `ingather`, which all contestants use. */
const execArgv = ["--max-semi-space-size=16"];

const raw = "raw undici loop";
const quick = Object.keys(contestants).filter((name) => name === raw || name.startsWith("ours"));
const slow = Object.keys(contestants).filter((name) => !quick.includes(name));

await compareSpeed({ links: Number(values.links), hosts: Number(values.hosts) });
if (values.linkchecker) await compareAtEqualPoliteness({ links: 2000, hosts: 100 });

async function compareSpeed(set: LinkSet): Promise<void> {
  const server = await startServer(set);
  const rounds: Map<string, Result>[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const names = round === 0 && values.others !== undefined ? [...quick, ...slow] : quick;
    const results = new Map<string, Result>();
    for (const name of names) {
      results.set(name, await run({ name, set, port: server.port, delayMs: 0, others: values.others }));
    }
    rounds.push(results);
  }
  server.process.kill();
  console.log(`${set.links} links on ${set.hosts} hosts, no delay`);
  for (const name of rounds[0]?.keys() ?? []) console.log(summarise(name, rounds, set));
}

function summarise(name: string, rounds: Map<string, Result>[], set: LinkSet): string {
  const own = resultsOf(name, rounds);
  const rawLoop = resultsOf(raw, rounds);
  const seconds = Math.min(...own.map((each) => each.seconds));
  const rawSeconds = Math.min(...rawLoop.map((each) => each.seconds));
  const inRounds = median(own.map((each, round) => each.seconds / (rawLoop[round]?.seconds ?? Number.NaN)));
  const time = slow.includes(name) ? seconds / rawSeconds : inRounds;
  return [
    name.padEnd(26),
    `${(set.links / seconds).toFixed(0).padStart(7)} links/s`,
    `time × ${time.toFixed(2).padStart(5)}`,
    `CPU ${((Math.min(...own.map((each) => each.cpuSeconds)) / set.links) * 1e6).toFixed(0).padStart(5)} µs each`,
    `peak ${Math.max(...own.map((each) => each.peakMiB))
      .toFixed(0)
      .padStart(4)} MiB`,
    `${own[0]?.alive} alive`,
  ].join("  ");
}

function resultsOf(name: string, rounds: Map<string, Result>[]): Result[] {
  return rounds.map((results) => results.get(name)).filter((result) => result !== undefined);
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Compares with linkchecker, which waits randomly 0.1 to 0.6 s between two requests to a host. Ingather's
 * checker waits for the mean.
 */
async function compareAtEqualPoliteness(set: LinkSet): Promise<void> {
  const server = await startServer(set);
  const { port } = server;
  const ours = await run({ name: "ours, status + XPath rule", set, port, delayMs: 350 });
  console.log(`\n${set.links} links on ${set.hosts} hosts, 0.35 s between two requests to a host`);
  console.log(`${"ours".padEnd(26)} ${ours.seconds.toFixed(1).padStart(7)} s`);
  for (const threads of [10, 100]) {
    const seconds = await runLinkchecker(`http://127.0.1.1:${port}/list`, threads);
    const name = `linkchecker, ${threads} threads`;
    const ratio = (seconds / ours.seconds).toFixed(2);
    console.log(`${name.padEnd(26)} ${seconds.toFixed(1).padStart(7)} s  time × ${ratio}`);
  }
  server.process.kill();
}

async function startServer({ links, hosts }: LinkSet): Promise<{ process: ChildProcess; port: number }> {
  const server = fork(join(import.meta.dirname, "links-server.ts"), [String(links), String(hosts)]);
  const [port] = (await once(server, "message")) as [number];
  return { process: server, port };
}

async function run(contest: Contest): Promise<Result> {
  const contestant = join(import.meta.dirname, "links-contestants.ts");
  const child = fork(contestant, [JSON.stringify(contest)], { execArgv });
  const [result] = (await once(child, "message")) as [Result];
  return result;
}

async function runLinkchecker(url: string, threads: number): Promise<number> {
  const options = [
    "--no-robots",
    "--no-status",
    "--check-extern",
    "-r1",
    "-t",
    String(threads),
    "-o",
    "none",
  ];
  const startedAt = performance.now();
  await once(spawn("linkchecker", [...options, url], { stdio: "ignore" }), "exit");
  return (performance.now() - startedAt) / 1000;
}

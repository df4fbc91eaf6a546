/**
 * Measures whole commands, from the start of the process to its end, with a list of links in a file and a
 * pipe for the output: `check-links --delay 0 --json`, a raw undici loop that also writes JSON lines, and
 * other checkers. Rounds alternate; the median of the ratios per round counts.
 * - `plain`: 50,000 links on 200 hosts with the status 200, 404, or 301 to 200
 * - `errors`: the same with 2 % of status 500, which each checker treats by its defaults
 * - `xpath`: pages of 20 KB, and an XPath without a literal, so that each page must be parsed
 *
 * Usage: npx node bench/links-commands.ts [--links N] [--hosts N] [--rounds N] [--pages N] [--others DIR]
 *   --others DIR   also linkinator and broken-link-checker, one round each, after
 *                  npm install --prefix DIR linkinator@8 broken-link-checker@0.7
 */
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { linkUrls } from "./links-server.ts";

const { values } = parseArgs({
  options: {
    links: { type: "string", default: "50000" },
    hosts: { type: "string", default: "200" },
    rounds: { type: "string", default: "5" },
    pages: { type: "string", default: "10000" },
    others: { type: "string" },
  },
});
const set = { links: Number(values.links), hosts: Number(values.hosts) };
const here = import.meta.dirname;
const ingather = join(here, "../local/ingather.js");
const folder = mkdtempSync(join(tmpdir(), "links-commands-"));

const server = fork(join(here, "links-server.ts"), [String(set.links), String(set.hosts)]);
const [port] = (await once(server, "message")) as [number];
try {
  const mixed = linkUrls(set, port);
  await compare(
    "plain",
    mixed.filter((url) => !url.includes("/error/")),
  );
  await compare("errors", mixed, values.others);
  await measureXPath(Number(values.pages));
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function checkLinks(list: string, ...more: string[]): string[] {
  return [
    ingather,
    "check-links",
    list,
    "--delay",
    "0",
    "--concurrency",
    String(set.hosts),
    "--json",
    "--allow-private",
    ...more,
  ];
}

async function compare(name: string, urls: string[], others?: string): Promise<void> {
  const list = file(`${name}.txt`, `${urls.join("\n")}\n`);
  const times = { raw: [] as number[], ours: [] as number[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    times.raw.push(await run([join(here, "links-raw.ts"), list], urls.length));
    times.ours.push(await run(checkLinks(list), urls.length));
  }
  const ratios = times.ours.map((seconds, round) => seconds / (times.raw[round] ?? Number.NaN));
  const ours = median(times.ours);
  console.log(`\n${name}: ${urls.length} links on ${set.hosts} hosts`);
  console.log(`raw undici loop      ${median(times.raw).toFixed(2)} s`);
  console.log(`check-links          ${ours.toFixed(2)} s, × ${median(ratios).toFixed(2)} of the raw loop`);
  if (others === undefined) return;
  for (const [title, args] of Object.entries(otherCommands(others))) {
    const seconds = await run(args);
    console.log(
      `${title.padEnd(20)} ${seconds.toFixed(2)} s, × ${(seconds / ours).toFixed(1)} of check-links`,
    );
  }
}

function otherCommands(folder: string): Record<string, string[]> {
  const bin = join(folder, "node_modules/.bin");
  const page = `http://127.0.1.1:${port}/list`;
  return {
    linkinator: [join(bin, "linkinator"), page, "--concurrency", String(set.hosts), "--format", "json"],
    "broken-link-checker": [join(bin, "blc"), page, "--get", "--verbose"],
  };
}

async function measureXPath(pages: number): Promise<void> {
  const urls = Array.from(
    { length: pages },
    (_, index) => `http://127.0.1.${(index % set.hosts) + 1}:${port}/page/${index}`,
  );
  const list = file("pages.txt", `${urls.join("\n")}\n`);
  const rules = file("rule.json", JSON.stringify({ xpath: "count(//h1) = 0" }));
  const times: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    times.push(await run(checkLinks(list, "--rules", rules), pages));
  }
  const seconds = median(times);
  console.log(
    `\nxpath: ${pages} pages of 20 KB: ${seconds.toFixed(2)} s, ${(pages / seconds).toFixed(0)} pages/s`,
  );
}

/** Runs a command. @param lines the number of lines that the command must write, if known @returns seconds */
async function run(args: string[], lines?: number): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--max-semi-space-size=16", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let written = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) written++;
  });
  await once(child, "close");
  if (lines !== undefined && written !== lines)
    throw new Error(`${args[0]} wrote ${written} lines, not ${lines}`);
  return (performance.now() - startedAt) / 1000;
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

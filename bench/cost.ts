/**
 * Estimates what AWS bills. Counts the calls, writes and time of the deployed functions on the local cloud,
 * multiplies them by the prices of `bench/prices.ts`, and computes a month. Each scenario runs with a small
 * load; the table has the factor by which its results are multiplied.
 *
 * Usage: npm run cost -- --help
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments } from "../local/arguments/parse-arguments.ts";
import { idleMonth, month } from "./cost-month.ts";
import { type Measured, scenarios } from "./cost-scenarios.ts";
import { prices } from "./prices.ts";
import { byItem, usdOf } from "./usage.ts";

interface Case {
  title: string;
  scenario: keyof typeof scenarios;
  args: number[];
  /** The number of units to which the amount applies, for each result of the scenario. */
  per: number[];
  goal?: string;
}

const cases: Record<string, Case> = {
  articles: {
    title: "10,000 delivered records, delay 1 s; 10,000 unchanged feeds",
    scenario: "articles",
    args: [50, 20, 1000],
    per: [10_000, 10_000],
    goal: "≤ 0.40",
  },
  links1: {
    title: "a million link checks, delay 1 s",
    scenario: "links",
    args: [50, 20, 1000, 0],
    per: [1e6],
    goal: "≤ 8",
  },
  links3: {
    title: "a million link checks, delay 3 s",
    scenario: "links",
    args: [50, 10, 3000, 0],
    per: [1e6],
    goal: "≤ 6",
  },
  linksXPath: {
    title: "a million link checks with an XPath, delay 1 s",
    scenario: "links",
    args: [50, 20, 1000, 1],
    per: [1e6],
  },
  sweeps: { title: "1,000 sweeps of a collection", scenario: "sweeps", args: [60], per: [1000] },
  oai: { title: "100,000 OAI-PMH records, delay 1 s", scenario: "oai", args: [2000, 1000], per: [100_000] },
  giveBack: {
    title: "100,000 logged changes; a harvest of 100,000 records of Ingather (goal of the harvest ≤ 0.15)",
    scenario: "giveBack",
    args: [40],
    per: [100_000, 100_000],
  },
  snapshot: {
    title: "a snapshot of 1 GB in files of 200 KB, delay 0.5 s",
    scenario: "snapshot",
    args: [90, 200_000, 500],
    per: [1000],
  },
};

const { values, positionals } = readArguments();

if (values.help) console.log(usage());
else if (process.send !== undefined && positionals[0] !== undefined) await runCase(positionals[0]);
else await report(positionals.length === 0 ? Object.keys(cases) : positionals);

function readArguments() {
  try {
    return parseArguments(process.argv.slice(2), {
      detail: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage()}`);
    process.exit(2);
  }
}

function usage(): string {
  return `npm run cost -- [SCENARIO…] [--detail]

  SCENARIO   ${Object.keys(cases).join(", ")} (default: all)
  --detail   also says which function, table or queue each amount is for`;
}

async function runCase(name: string): Promise<void> {
  const { scenario, args } = cases[name] as Case;
  const stateDir = mkdtempSync(join(tmpdir(), "cost-"));
  try {
    const measured = await scenarios[scenario](stateDir, args);
    await new Promise((resolve) => process.send?.(measured, resolve));
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
  process.exit();
}

async function report(names: string[]): Promise<void> {
  console.log(`US$, list prices of ${prices.region}, ${prices.asOf}, without free tiers.\n`);
  const perUnit = new Map<string, number>();
  for (const name of names) {
    const one = cases[name];
    if (one === undefined) {
      console.error(`the scenario ${name} does not exist; choose from ${Object.keys(cases).join(", ")}`);
      process.exit(2);
    }
    const child = fork(import.meta.filename, [name], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const [measured] = (await once(child, "message")) as [Measured[]];
    console.log(`## ${one.title}${one.goal === undefined ? "" : ` (goal ${one.goal})`}\n`);
    for (const [index, each] of measured.entries()) {
      perUnit.set(`${name}/${each.of}`, usdOf(each.lines) / each.count);
      printMeasured(each, one.per[index] ?? 1);
    }
  }
  const idle = await idleMonth();
  console.log("## An idle month (goal ≤ 3)\n");
  printLines(idle);
  const whole = month(perUnit);
  if (whole === undefined) return;
  console.log("## A month of 641 journals and 1,000 collections\n");
  printLines([
    ...whole,
    { what: "without work", count: 1, usd: idle.reduce((sum, { usd }) => sum + usd, 0) },
  ]);
}

function printMeasured({ of, count, calls, lines }: Measured, per: number): void {
  const scale = per / count;
  const total = (usdOf(lines) * scale).toFixed(2);
  console.log(
    `${per} ${of}: ${total}; measured ${count}, × ${scale.toFixed(0)}; ${(calls / count).toFixed(2)} calls each\n`,
  );
  console.log("| | each | US$ |\n|---|---|---|");
  for (const item of byItem(lines)) {
    if (item.usd * scale < 0.0005) continue;
    console.log(
      `| ${item.item} | ${(item.count / count).toPrecision(3)} | ${(item.usd * scale).toFixed(3)} |`,
    );
    if (!values.detail) continue;
    for (const line of item.lines.slice(0, 12))
      console.log(
        `|     ${line.of} | ${(line.count / count).toPrecision(3)} | ${(line.usd * scale).toFixed(4)} |`,
      );
  }
  console.log("");
}

function printLines(lines: { what: string; count: number; usd: number }[]): void {
  console.log("| | count | US$ |\n|---|---|---|");
  for (const { what, count, usd } of lines)
    console.log(`| ${what} | ${Math.round(count)} | ${usd.toFixed(2)} |`);
  console.log(`| **together** | | **${lines.reduce((sum, { usd }) => sum + usd, 0).toFixed(2)}** |\n`);
}

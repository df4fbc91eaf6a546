/**
 * How long a load takes through the gate, over the shortest time possible, and what it costs: a simulation in virtual
 * time of FIFO queues, functions and hosts around the gate's own code.
 *
 *     node bench/makespan.ts TABLE…        of: hosts workers orders delays queues
 *     node bench/makespan.ts --full TABLE… hosts and queues with 1,000,000 requests on 50,000 hosts (minutes)
 */
import { parseArgs } from "node:util";
import { type CloudRun, type CloudSettings, runInCloud } from "./makespan-cloud.ts";
import { createLoad, type LoadSettings, shapes } from "./makespan-loads.ts";
import { orders } from "./makespan-orders.ts";
import { costPerMillion } from "./makespan-prices.ts";

const { values, positionals } = parseArgs({
  options: { full: { type: "boolean", default: false } },
  allowPositionals: true,
});

type Row = Record<string, string | number>;

const usual = { delayMs: 1000, backoffMs: 5000, busyShare: 0.005 };
const thousands = { requests: 10_000, hosts: 500 };
const hundredThousand = { requests: 100_000, hosts: 5_000 };
const million = { requests: 1_000_000, hosts: 50_000 };

const tables: Record<string, () => AsyncGenerator<Row>> = {
  /** A worker for every host. */
  async *hosts() {
    for (const size of values.full ? [million] : [thousands, hundredThousand]) {
      for (const shape of shapes) {
        const settings = { ...usual, ...size, shape };
        const run = await simulate(settings, {
          order: "spread",
          workers: size.hosts,
          queues: values.full ? 8 : 1,
        });
        yield { ...named(settings), ...timed(run), "invocations at a time": run.mostInvocations };
      }
    }
  },

  /** Fewer workers than hosts. */
  async *workers() {
    for (const shape of shapes) {
      for (const workers of [20, 50, 100, 200, 500, 1000, 5000]) {
        const settings = { ...usual, ...hundredThousand, shape };
        const run = await simulate(settings, { order: "shuffled", workers, queues: 1 });
        yield { load: shape, workers, ...timed(run), ...priced(run, settings) };
      }
    }
  },

  /** What the order of sending changes, whichever group is served next. */
  async *orders() {
    for (const shape of shapes) {
      for (const order of orders) {
        const row: Row = { load: shape, order };
        for (const pick of ["oldest message", "random group"] as const) {
          const settings = { ...usual, ...hundredThousand, shape };
          const run = await simulate(settings, { order, workers: 200, queues: 1, pick });
          row[pick] = overShortest(run);
        }
        yield row;
      }
    }
  },

  /** What the delay changes: waits of up to two seconds are spent inside the function. */
  async *delays() {
    for (const delayMs of [0, 200, 500, 1000, 2000, 2500, 3000, 5000, 10_000]) {
      for (const rounding of ["up", "down"] as const) {
        const settings = { ...usual, ...thousands, shape: "Zipf" as const, delayMs };
        const run = await simulate(settings, { order: "spread", workers: 500, queues: 1, rounding });
        yield {
          "delay s": delayMs / 1000,
          rounding,
          "of shortest": overShortest(run),
          ...priced(run, settings),
        };
      }
    }
  },

  /** What SQS's limits cost, and how many queues it takes to be rid of them. */
  async *queues() {
    const size = values.full ? million : hundredThousand;
    for (const [shape, order, delayMs] of [
      ["uniform", "host by host", 1000],
      ["uniform", "spread", 1000],
      ["uniform", "spread", 10_000],
      ["giant", "longest host first", 1000],
      ["giant", "spread", 1000],
    ] as const) {
      for (const queues of values.full ? [1, 8] : [1, 4]) {
        const settings = { ...usual, ...size, shape, delayMs };
        const run = await simulate(settings, { order, workers: size.hosts, queues });
        yield { ...named(settings), order, "delay s": delayMs / 1000, queues, ...timed(run) };
      }
    }
  },
};

for (const name of positionals.length === 0 ? Object.keys(tables) : positionals) {
  const table = tables[name];
  if (table === undefined) throw new Error(`${name}: not one of ${Object.keys(tables).join(", ")}`);
  console.log(`\n${name}`);
  let isFirst = true;
  for await (const row of table()) {
    const line = (cells: unknown[]) => console.log(`| ${cells.join(" | ")} |`);
    if (isFirst) line(Object.keys(row));
    if (isFirst) line(Object.keys(row).map(() => "---"));
    line(Object.values(row));
    isFirst = false;
  }
}

function simulate(load: LoadSettings, cloud: CloudSettings): Promise<CloudRun> {
  return runInCloud(createLoad(load), cloud);
}

function named({ shape, requests, hosts }: LoadSettings): Row {
  return { load: shape, requests: requests.toLocaleString("en"), hosts: hosts.toLocaleString("en") };
}

function timed(run: CloudRun): Row {
  return {
    "makespan s": Math.round(run.makespanMs / 1000).toLocaleString("en"),
    "of shortest": overShortest(run),
    "most in flight": run.mostInFlight.toLocaleString("en"),
    "most receives": run.mostReceives,
  };
}

function overShortest(run: CloudRun): string {
  return (run.makespanMs / run.shortestMs).toFixed(3);
}

/** Per request, which is also: millions per million requests. */
function priced({ use }: CloudRun, { requests }: LoadSettings): Row {
  const cost = costPerMillion(use, requests);
  const each = (count: number) => (count / requests).toFixed(2);
  return {
    receives: each(use.receives),
    hides: each(use.visibilityChanges),
    deletes: each(use.deletes),
    "function s": each(use.functionMs / 1000),
    "write units": each(use.hostWriteUnits),
    "queue $": cost.queue.toFixed(2),
    "function $": cost.function.toFixed(2),
    "states $": cost.hostStates.toFixed(2),
    "answers $": cost.answers.toFixed(2),
  };
}

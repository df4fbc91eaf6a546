import { type CloudRun, type CloudSettings, runInCloud } from "./makespan-cloud.ts";
import { createLoad, type LoadSettings, shapes } from "./makespan-loads.ts";
import { orders } from "./makespan-orders.ts";
import { costPerMillion } from "./makespan-prices.ts";
import { runInProcess } from "./makespan-scheduler.ts";

/** A table row: cells by column header. */
export type Row = Record<string, string | number>;

const usual = { delayMs: 1000, backoffMs: 5000, hostSpread: 1, busyShare: 0.005 };
const thousands = { requests: 10_000, hosts: 500 };
const hundredThousand = { requests: 100_000, hosts: 5_000 };
const million = { requests: 1_000_000, hosts: 50_000 };

/** Named experiments. Each yields the rows of its table. `isFull`: at the largest scale. */
export const tables: Record<string, (isFull: boolean) => AsyncGenerator<Row>> = {
  /** A worker for every host. */
  async *hosts(isFull) {
    for (const size of isFull ? [million] : [thousands, hundredThousand]) {
      for (const shape of shapes) {
        const settings = { ...usual, ...size, shape };
        const run = await simulate(settings, {
          order: "spread",
          workers: size.hosts,
          queues: isFull ? 8 : 1,
        });
        yield { ...named(settings), ...timed(run), "invocations at a time": run.maxInvocations };
      }
    }
  },

  /** Fewer workers than hosts. */
  async *workers(isFull) {
    const size = isFull ? million : hundredThousand;
    for (const shape of isFull ? (["uniform"] as const) : shapes) {
      for (const workers of isFull ? [80, 400, 5000] : [3, 10, 50, 500]) {
        const settings = { ...usual, ...size, shape };
        const run = await simulate(settings, { order: "shuffled", workers, queues: isFull ? 8 : 1 });
        yield { ...named(settings), workers, ...timed(run), ...priced(run) };
      }
    }
  },

  /** A daily harvest as deployed, in all orders of sending: the feeds of 600 sources, and 20 articles of each. */
  async *harvest() {
    for (const requests of [600, 12_000]) {
      for (const shape of ["uniform", "Zipf"] as const) {
        for (const order of orders) {
          const settings = { ...usual, requests, hosts: 120, shape };
          const run = await simulate(settings, { order, workers: 3, queues: 1, pick: "random group" });
          yield { ...named(settings), order, ...timed(run) };
        }
      }
    }
  },

  /** The effect of the delay. Up to two seconds, the function waits itself. */
  async *delays() {
    for (const delayMs of [0, 200, 500, 1000, 2000, 2500, 3000, 5000, 10_000]) {
      for (const rounding of ["up", "down"] as const) {
        const settings = { ...usual, ...thousands, shape: "Zipf" as const, delayMs };
        const run = await simulate(settings, { order: "spread", workers: 500, queues: 1, rounding });
        yield {
          "delay s": delayMs / 1000,
          rounding,
          "of shortest": overShortest(run),
          ...priced(run),
        };
      }
    }
  },

  /** What an invocation that serves several hosts saves: link checks of a sweep, of a million, and of few hosts, as deployed. */
  async *sharing() {
    for (const [requests, hosts] of [
      [4000, 300],
      [100_000, 5000],
      [500, 50],
      [100, 1],
    ] as const) {
      for (const delayMs of [1000, 3000]) {
        for (const hostsPerInvocation of [1, 50]) {
          const settings = { ...usual, requests, hosts, shape: "uniform" as const, delayMs };
          const workers = hostsPerInvocation === 1 ? 50 : 3;
          const run = await simulate(settings, { order: "shuffled", workers, queues: 1, hostsPerInvocation });
          yield {
            ...named(settings),
            "delay s": delayMs / 1000,
            "hosts of an invocation": hostsPerInvocation,
            ...timed(run),
            ...priced(run),
          };
        }
      }
    }
  },

  /** The command line's scheduler at several concurrencies, with and without 503 responses. */
  async *scheduler(isFull) {
    for (const size of isFull ? [million] : [thousands, hundredThousand]) {
      for (const busyShare of isFull ? [0.005] : [0, 0.005]) {
        for (const shape of shapes) {
          const settings = { ...usual, ...size, shape, busyShare };
          const row: Row = { ...named(settings), "busy %": busyShare * 100 };
          for (const concurrency of [1, 4, 16, 64, 256, 1024]) {
            row[`${concurrency} at once`] = overShortest(
              await runInProcess(createLoad(settings), concurrency),
            );
          }
          yield row;
        }
      }
    }
  },

  /** More hosts that wait than one queue may have in flight. */
  async *waiting(isFull) {
    const hosts = isFull ? 50_000 : 5000;
    for (const queues of isFull ? [1, 8] : [1, 2]) {
      const settings = { ...usual, hosts, requests: 10 * hosts, shape: "uniform", delayMs: 30_000 } as const;
      const run = await simulate(settings, { order: "host by host", workers: hosts, queues });
      yield { ...named(settings), "delay s": 30, queues, ...timed(run) };
    }
  },

  /** The effect of SQS's limits with one and several queues. */
  async *queues(isFull) {
    const size = isFull ? million : hundredThousand;
    const many = isFull ? 8 : 2;
    for (const [shape, order, delayMs, queues] of [
      ["uniform", "host by host", 1000, 1],
      ["uniform", "host by host", 1000, many],
      ["uniform", "spread", 10_000, 1],
      ["uniform", "spread", 10_000, many],
      ["giant", "longest host first", 1000, 1],
      ["giant", "longest host first", 1000, many],
      ["giant", "spread", 1000, 1],
    ] as const) {
      const settings = { ...usual, ...size, shape, delayMs };
      const run = await simulate(settings, { order, workers: size.hosts, queues });
      yield { ...named(settings), order, "delay s": delayMs / 1000, queues, ...timed(run) };
    }
  },
};

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
    "half of the hosts done s": Math.round(run.halfDoneMs / 1000).toLocaleString("en"),
    "most in flight": run.maxInFlight.toLocaleString("en"),
    "most receives": run.maxReceives,
  };
}

function overShortest(run: { makespanMs: number; shortestMs: number }): string {
  return (run.makespanMs / run.shortestMs).toFixed(3);
}

/** Usage per request, and cost per million requests. */
function priced({ use }: CloudRun): Row {
  const cost = costPerMillion(use);
  const each = (count: number) => (count / use.responses).toFixed(2);
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

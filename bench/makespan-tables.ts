import { type CloudRun, type CloudSettings, runInCloud } from "./makespan-cloud.ts";
import { makespanWithForesightMs } from "./makespan-foresight.ts";
import { createLoad, type LoadSettings, shapes } from "./makespan-loads.ts";
import { orders } from "./makespan-orders.ts";
import { costPerMillion } from "./makespan-prices.ts";
import { runInProcess } from "./makespan-scheduler.ts";

/** A line of a table: the heads of its columns, and its cells. */
export type Row = Record<string, string | number>;

const usual = { delayMs: 1000, backoffMs: 5000, hostSpread: 1, busyShare: 0.005 };
const thousands = { requests: 10_000, hosts: 500 };
const hundredThousand = { requests: 100_000, hosts: 5_000 };
const million = { requests: 1_000_000, hosts: 50_000 };

/** Named experiments; each yields the rows of its table as they are done. `isFull`: at the largest scale. */
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
      for (const workers of isFull ? [400, 1000, 8000] : [20, 50, 200, 1000, 5000]) {
        const settings = { ...usual, ...size, shape };
        const run = await simulate(settings, { order: "shuffled", workers, queues: isFull ? 8 : 1 });
        yield { ...named(settings), workers, ...timed(run), ...priced(run) };
      }
    }
  },

  /** What the order of sending changes, whichever group is served next: seven workers per hundred hosts. */
  async *orders() {
    for (const delayMs of [1000, 10_000]) {
      for (const shape of shapes) {
        for (const order of orders) {
          const row: Row = { "delay s": delayMs / 1000, load: shape, order };
          for (const pick of ["oldest message", "random group"] as const) {
            const settings = { ...usual, ...thousands, shape, delayMs };
            row[pick] = overShortest(await simulate(settings, { order, workers: 35, queues: 1, pick }));
          }
          yield row;
        }
      }
    }
  },

  /** What the order of sending changes for a daily harvest as deployed: the feeds of 600 sources, and 20 articles of each. */
  async *harvest() {
    for (const requests of [600, 12_000]) {
      for (const shape of ["uniform", "Zipf"] as const) {
        for (const order of orders) {
          const settings = { ...usual, requests, hosts: 120, shape };
          const run = await simulate(settings, { order, workers: 50, queues: 1, pick: "random group" });
          yield { ...named(settings), order, ...timed(run) };
        }
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
          ...priced(run),
        };
      }
    }
  },

  /** The command line's scheduler, at any concurrency; with and without answers that nobody can foresee. */
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

  /**
   * The command line's scheduler where the slowest host, of which nobody knows, takes about as long as all work shared out:
   * how much of what is lost anybody could have avoided. Figures are the mean and the worst of several draws.
   */
  async *ties(isFull) {
    const cells = isFull
      ? [{ ...million, concurrency: 1024, draws: 1 }]
      : [20, 50, 200].flatMap((each) =>
          [16, 24, 32, 64].map((concurrency) => ({
            requests: 500 * each,
            hosts: 500,
            concurrency,
            draws: 10,
          })),
        );
    for (const { concurrency, draws, ...size } of cells) {
      const settings = { ...usual, ...size, shape: "uniform" as const, busyShare: 0 };
      const drawn = { ours: [] as number[], unavoidable: [] as number[], foresight: [] as number[] };
      for (let draw = 0; draw < draws; draw++) {
        const load = createLoad({ ...settings, draw });
        const run = await runInProcess(load, concurrency);
        drawn.ours.push(run.makespanMs / run.shortestMs);
        drawn.unavoidable.push(run.shortestFromFirstAskedMs / run.shortestMs);
        drawn.foresight.push(makespanWithForesightMs(load, concurrency) / run.shortestMs);
      }
      yield {
        requests: settings.requests.toLocaleString("en"),
        "per host": settings.requests / settings.hosts,
        "at once": concurrency,
        "of shortest": meanAndWorst(drawn.ours),
        "from the moments hosts were first asked": meanAndWorst(drawn.unavoidable),
        "all known in advance": meanAndWorst(drawn.foresight),
      };
    }
  },

  /** What SQS's limits cost, and how many queues it takes to be rid of them. */
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

function meanAndWorst(ratios: number[]): string {
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  return `${mean.toFixed(3)}, ${Math.max(...ratios).toFixed(3)}`;
}

function overShortest(run: { makespanMs: number; shortestMs: number }): string {
  return (run.makespanMs / run.shortestMs).toFixed(3);
}

/** Per request, which is also: millions per million requests. */
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

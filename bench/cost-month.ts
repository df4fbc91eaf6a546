/**
 * The calculations of `bench/cost.ts`: the monthly costs of the deployed resources without work, and of a
 * month with work.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAssembly } from "../local/assembly.ts";
import { prices } from "./prices.ts";

interface Amount {
  what: string;
  count: number;
  usd: number;
}

interface Resource {
  Type: string;
  Properties?: {
    ScheduleExpression?: string;
    ScalingConfig?: unknown;
    EventSourceArn?: unknown;
  };
}

/**
 * The pollers of an event source while its queue is empty: two, but five for FIFO queues and if a maximum
 * concurrency is set. A receive waits for 20 s.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const pollers = { least: 2, most: 5 };
const receiveSeconds = 20;
const monthSeconds = 30 * 86_400;

/** The duration of an invocation that finds no work, with 512 MiB. */
const idleInvocationMs = 30;

/** Returns the costs of the deployed resources in a month without harvests, checks and API requests. */
export async function idleMonth(): Promise<Amount[]> {
  const resources = await deployedResources();
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const sources = ofType("AWS::Lambda::EventSourceMapping").map(({ Properties = {} }) => Properties);
  const isFifo = ({ EventSourceArn }: (typeof sources)[number]) =>
    /RequestsQueue/.test(JSON.stringify(EventSourceArn)) &&
    !/IndexRequests/.test(JSON.stringify(EventSourceArn));
  const receivesOf = (some: typeof sources) =>
    some.reduce(
      (sum, source) =>
        sum + (source.ScalingConfig !== undefined || isFifo(source) ? pollers.most : pollers.least),
      0,
    ) *
    (monthSeconds / receiveSeconds);
  const fifo = receivesOf(sources.filter(isFifo));
  const standard = receivesOf(sources.filter((source) => !isFifo(source)));
  const firings = ofType("AWS::Scheduler::Schedule").reduce(
    (sum, { Properties }) => sum + firingsOf(Properties?.ScheduleExpression ?? ""),
    0,
  );
  const alarms = ofType("AWS::CloudWatch::Alarm").length;
  const { perMillion, perMonth, gigabyteSecond } = prices;
  const perFiring =
    (perMillion.schedules + perMillion.invocations) / 1e6 + (idleInvocationMs / 1000) * 0.5 * gigabyteSecond;
  return [
    {
      what: `empty receives of ${sources.length} event sources`,
      count: fifo + standard,
      usd: (fifo * perMillion.fifoCalls + standard * perMillion.standardCalls) / 1e6,
    },
    { what: "alarms", count: alarms, usd: alarms * perMonth.alarm },
    {
      what: "dashboards",
      count: ofType("AWS::CloudWatch::Dashboard").length,
      usd: ofType("AWS::CloudWatch::Dashboard").length * perMonth.dashboard,
    },
    { what: "invocations by schedules", count: firings, usd: firings * perFiring },
  ];
}

function firingsOf(expression: string): number {
  const [, count = "", unit = ""] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const seconds = { minute: 60, hour: 3600, day: 86_400 }[unit];
  return seconds === undefined ? 30 : monthSeconds / (Number(count) * seconds);
}

async function deployedResources(): Promise<Resource[]> {
  const { outdir } = await loadAssembly(join(import.meta.dirname, "../.ingather/build"));
  return readdirSync(outdir)
    .filter((file) => file.endsWith(".template.json"))
    .flatMap((file) =>
      Object.values<Resource>(JSON.parse(readFileSync(join(outdir, file), "utf8")).Resources),
    );
}

/**
 * The load of a month: 641 journals whose feeds are read daily and yield 10,000 records, and 1,000
 * collections that are swept every two hours.
 */
const load = { feeds: 641 * 30, records: 10_000, sweeps: 1000 * 12 * 30, storedRecords: 100_000 };

/** The size of a stored record in GB: its items with indexes and archive keys, and its object. */
const storedGigabytes = { tables: 6e-6, objects: 4e-6 };

/**
 * Returns the costs of a month with work. @param perUnit US$ by scenario and unit; the result is undefined if
 * a needed scenario was not measured
 */
export function month(perUnit: ReadonlyMap<string, number>): Amount[] | undefined {
  const wanted = [
    ["feeds that are read", load.feeds, "articles/feeds"],
    ["delivered records", load.records, "articles/records"],
    ["sweeps of a collection", load.sweeps, "sweeps/sweeps of a collection"],
  ] as const;
  if (wanted.some(([, , key]) => !perUnit.has(key))) return undefined;
  const { tableGigabyte, objectGigabyte } = prices.perMonth;
  return [
    ...wanted.map(([what, count, key]) => ({ what, count, usd: count * (perUnit.get(key) ?? 0) })),
    {
      what: "stored records",
      count: load.storedRecords,
      usd:
        load.storedRecords *
        (storedGigabytes.tables * tableGigabyte + storedGigabytes.objects * objectGigabyte),
    },
  ];
}

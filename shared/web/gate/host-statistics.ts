import type { ExchangeOutcome } from "../exchange/exchange.ts";

/**
 * Counters of a host's requests, which are summed over invocations and days.
 * - `requests`: exchanges, including those for robots.txt
 * - `status-2xx` …: responses by class; `failed-dns` …: failures; `refused-robots` …: refusals by reason
 * - `bytes`: size of bodies after decompression; `body-bad-encoding` …: bodies that could not be read, by reason
 * - `elapsed-ms`: time from request to response; `waited-ms`: time spent waiting until the host was ready
 * - `retries`: attempts that were repeated; `deferrals`: waits in the queue
 * - `backoff-ms`: back-off after failures, including Retry-After
 */
export type HostStatistics = Record<string, number>;

/** The number of days for which statistics are kept. */
export const statisticsKeptDays = 30;

/** Stores statistics, with one addition per host and invocation. */
export interface StatisticsStore {
  /** @param day ISO 8601, UTC */
  add(hostKey: string, day: string, statistics: HostStatistics): Promise<void>;
}

/** Returns the sums of two sets of counters. */
export function addUp(one: HostStatistics, other: HostStatistics): HostStatistics {
  const sums = { ...one };
  for (const [name, number] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + number;
  return sums;
}

/** Counts the requests that one invocation makes to one host. */
export class HostCounters {
  private readonly numbers: HostStatistics = {};

  add(name: string, by = 1): void {
    if (by > 0) this.numbers[name] = (this.numbers[name] ?? 0) + by;
  }

  countExchange(outcome: ExchangeOutcome): void {
    this.add("requests");
    if (outcome.type === "answered") {
      this.add(`status-${Math.floor(outcome.status / 100)}xx`);
      this.add("bytes", outcome.body.byteLength + (outcome.stored?.sizeBytes ?? 0));
      if (outcome.bodyProblem !== undefined) this.add(`body-${outcome.bodyProblem.reason}`);
    } else {
      this.add(`${outcome.type}-${outcome.reason}`);
    }
    if (outcome.type !== "refused") this.add("elapsed-ms", outcome.elapsedMs);
  }

  /** The numbers to add to the statistics of the day; `undefined` when there are none. */
  get statistics(): HostStatistics | undefined {
    return Object.keys(this.numbers).length === 0 ? undefined : this.numbers;
  }
}

/** The statistics of a host for one day, as the API returns them. Groups contain only the names that were counted. */
interface DailyStatistics {
  /** ISO 8601, UTC. */
  day: string;
  requests: number;
  /** By class, such as `2xx`. */
  statuses: Record<string, number>;
  failures: Record<string, number>;
  refusals: Record<string, number>;
  bodyProblems: Record<string, number>;
  bytes: number;
  elapsedMs: number;
  waitedMs: number;
  backoffMs: number;
  retries: number;
  deferrals: number;
}

export function describeDay(day: string, numbers: HostStatistics): DailyStatistics {
  const group = (prefix: string) =>
    Object.fromEntries(
      Object.entries(numbers)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, number]) => [name.slice(prefix.length), number]),
    );
  const of = (name: string) => numbers[name] ?? 0;
  return {
    day,
    requests: of("requests"),
    statuses: group("status-"),
    failures: group("failed-"),
    refusals: group("refused-"),
    bodyProblems: group("body-"),
    bytes: of("bytes"),
    elapsedMs: of("elapsed-ms"),
    waitedMs: of("waited-ms"),
    backoffMs: of("backoff-ms"),
    retries: of("retries"),
    deferrals: of("deferrals"),
  };
}

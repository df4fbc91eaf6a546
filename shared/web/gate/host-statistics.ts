import type { ExchangeOutcome } from "../exchange/exchange.ts";

/**
 * How a host was dealt with: numbers that add up over invocations and days.
 * - `requests`: exchanges, those for robots.txt included
 * - `status-2xx` …: answers by class; `failed-dns` …: failures, `refused-robots` …: refusals by reason
 * - `bytes`: of bodies, after decompression; `body-bad-encoding` …: bodies that were not to be had, by reason
 * - `elapsed-ms`: from ask to answer; `waited-ms`: what the host made us wait for it
 * - `retries`: tries after which another followed; `deferrals`: waits outside of the function
 * - `backoff-ms`: for how long the host was left alone after trouble, or because it asked for it
 */
export type HostStatistics = Record<string, number>;

/** How long the statistics of a day are kept. */
export const statisticsKeptDays = 30;

/** Where statistics go: one addition per host and invocation. */
export interface StatisticsStore {
  /** @param day ISO 8601, by UTC */
  add(hostKey: string, day: string, statistics: HostStatistics): Promise<void>;
}

/** Counts what one invocation does with one host. */
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

  /** What is to be added to the day; `undefined` when there is nothing. */
  get statistics(): HostStatistics | undefined {
    return Object.keys(this.numbers).length === 0 ? undefined : this.numbers;
  }
}

/** What people are told of a host's day. Groups have the numbers of what there was alone. */
export interface DailyStatistics {
  /** ISO 8601, by UTC. */
  day: string;
  requests: number;
  /** By class: `2xx`. */
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

import type { Clock } from "../../core/clock.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";

/** Whether Ingather's own network works. While the network is down, no host or link is judged. */
export interface NetworkState {
  state: "up" | "down";
  /** ISO 8601. */
  since: string;
  why: string;
  /** Whether the recipients were notified of the change to this state. */
  isNotified: boolean;
}

export interface NetworkFlag {
  get(): Promise<NetworkState | undefined>;
  /** Stores the change, unless this state is stored already. */
  change(to: NetworkState): Promise<void>;
  /** Marks the change at the given time as notified. */
  markNotified(since: string): Promise<void>;
}

export interface ProbePorts {
  flag: NetworkFlag;
  /** Requests a URL once. */
  probe(url: string): Promise<ExchangeOutcome>;
  /** Sends the notification of a change. After a crash, the notification may be sent twice. */
  notify(change: NetworkState): Promise<void>;
  clock: Clock;
}

/** The wait before the second probe. Shorter disturbances do not count as outages. */
const secondProbeDelayMs = 5000;

/**
 * Probes the network. The network is up when any URL responds, with any status, or when no URLs are configured. It is
 * down when all URLs fail twice. A change is stored with its time and reason. Its notification is retried until it
 * succeeds.
 */
export async function probeNetwork(urls: string[], ports: ProbePorts): Promise<{ state: "up" | "down" }> {
  const { flag, clock } = ports;
  const failures = await probeTwice(urls, ports);
  const before = await flag.get();
  const state = failures === undefined ? "up" : "down";
  if (state !== (before?.state ?? "up")) {
    const since = clock.now().toISOString();
    const upBy = urls.length === 0 ? "no probe URLs are configured any longer" : "a probe was answered";
    const why = failures ?? `${upBy}; it was down since ${before?.since}: ${before?.why}`;
    await flag.change({ state, since, why, isNotified: false });
  }
  const now = await flag.get();
  if (now !== undefined && !now.isNotified) {
    await ports.notify(now);
    await flag.markNotified(now.since);
  }
  return { state };
}

/**
 * Returns the reasons why all URLs fail.
 * @returns `undefined` when at least one URL responds
 */
async function probeTwice(urls: string[], ports: ProbePorts): Promise<string | undefined> {
  if (urls.length === 0) return undefined;
  if ((await failuresOf(urls, ports)) === undefined) return undefined;
  await ports.clock.sleep(secondProbeDelayMs);
  return failuresOf(urls, ports);
}

async function failuresOf(urls: string[], { probe }: ProbePorts): Promise<string | undefined> {
  const failures = await Promise.all(
    urls.map(async (url) => {
      const outcome = await probe(url);
      return outcome.type === "answered" ? undefined : `${url}: ${outcome.reason}: ${outcome.detail}`;
    }),
  );
  return failures.includes(undefined) ? undefined : failures.join("; ");
}

import { hostKeyOf } from "../../web/address/host-key.ts";
import type { ExpectedDelay, ExpectedDelayOf } from "../../web/gate/expected-delay.ts";
import { throttleOf } from "../rule/rule.ts";
import type { Collection } from "../status/collection.ts";
import type { BusyHost } from "./busy-hosts.ts";

/** The expected duration of an exchange, in addition to the delay after it. */
const exchangeMs = 1000;

/** The number of links of one collection on each host. */
type LinksByHost = ReadonlyMap<string, number>;

export function linksByHost(urls: readonly string[]): LinksByHost {
  const links = new Map<string, number>();
  for (const url of urls) {
    const host = hostKeyOf(url);
    links.set(host, (links.get(host) ?? 0) + 1);
  }
  return links;
}

/** Shares the time of each host among the collections with links on it. Each sweep makes its own plan. */
export class HostPlan {
  private readonly delayOf: ExpectedDelayOf;
  private readonly intervalMs: number;
  private readonly delays = new Map<string, Promise<ExpectedDelay>>();
  /** The time that waiting checks of sweeps take, by host. */
  private readonly waitingMs = new Map<string, number>();
  private readonly needs = new Map<string, { collections: number; links: number; neededMs: number }>();

  /** @param plan.intervalMs the time until the next sweep */
  constructor(plan: { delayOf: ExpectedDelayOf; intervalMs: number }) {
    this.delayOf = plan.delayOf;
    this.intervalMs = plan.intervalMs;
  }

  /** Decides whether each host has time for further checks before the next sweep, and reserves the time if so. */
  async reserve(links: LinksByHost, { rule }: Pick<Collection, "rule">): Promise<boolean> {
    const timesMs = await this.timesMs(links, rule);
    if (!this.hasRoom(links)) return false;
    this.addWaiting(timesMs);
    return true;
  }

  hasRoom(links: LinksByHost): boolean {
    return [...links.keys()].every((host) => (this.waitingMs.get(host) ?? 0) < this.intervalMs);
  }

  /** Adds checks that wait for their hosts already. */
  async addOpen(links: LinksByHost, { rule }: Pick<Collection, "rule">): Promise<void> {
    this.addWaiting(await this.timesMs(links, rule));
  }

  /** Adds what the checks of a collection need in each interval, whether or not it gets a turn now. */
  async addNeed(links: LinksByHost, { rule }: Pick<Collection, "rule">): Promise<void> {
    for (const [host, ms] of await this.timesMs(links, rule)) {
      const { collections, links: before, neededMs } = this.needs.get(host) ?? noNeed;
      const total = before + (links.get(host) ?? 0);
      this.needs.set(host, { collections: collections + 1, links: total, neededMs: neededMs + ms });
    }
  }

  /** Returns the hosts whose checks need more time than there is between two sweeps, the most overbooked first. */
  busyHosts(): BusyHost[] {
    return [...this.needs]
      .filter(([, { neededMs }]) => neededMs > this.intervalMs)
      .map(([hostKey, need]) => ({ hostKey, ...need }))
      .sort((a, b) => b.neededMs - a.neededMs);
  }

  private addWaiting(timesMs: ReadonlyMap<string, number>): void {
    for (const [host, ms] of timesMs) this.waitingMs.set(host, (this.waitingMs.get(host) ?? 0) + ms);
  }

  private async timesMs(links: LinksByHost, rule: Collection["rule"]): Promise<Map<string, number>> {
    const times = new Map<string, number>();
    for (const [host, count] of links) times.set(host, count * checkMs(await this.delay(host), rule));
    return times;
  }

  private delay(host: string): Promise<ExpectedDelay> {
    const known = this.delays.get(host) ?? this.delayOf(host);
    this.delays.set(host, known);
    return known;
  }
}

const noNeed = { collections: 0, links: 0, neededMs: 0 };

/** Returns the time that one check takes its host. */
export function checkMs({ defaultMs, minMs }: ExpectedDelay, rule: Collection["rule"]): number {
  const { throttleMs = defaultMs } = throttleOf(rule);
  return Math.max(throttleMs, minMs) + exchangeMs;
}

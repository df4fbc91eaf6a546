import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { findWithdrawalReason } from "../../../../shared/links/check/withdrawn.ts";
import { judgeCheck } from "../../../../shared/links/judge/judge-check.ts";
import { type Collection, readCollection } from "../../../../shared/links/status/collection.ts";
import { concludeSweep, type Sweep } from "../../../../shared/links/status/stored-sweep.ts";
import { isOpen } from "../../../../shared/links/sweep/sweep.ts";
import { sweepCollections } from "../../../../shared/links/sweep/sweep-collections.ts";
import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";
import {
  type NewRequest,
  type OutboundRequest,
  outboundRequest,
} from "../../../../shared/web/request/request.ts";
import { type ResponseOutcome, tooLate, withdrawn } from "../../../../shared/web/request/response.ts";
import { hourMs, LinkWorld, start } from "../link-world.ts";

const intervalMs = 2 * hourMs;
const exchangeMs = 300;
const samples = 4;

interface CrowdedHost {
  delayMs: number;
  /** When its next request may start. */
  readyAtMs: number;
  queue: NewRequest[];
  longestQueue: number;
  collections: string[];
}

/** How many collections there are on how many hosts, and what happens to them. */
interface Crowd {
  collections: number;
  hosts: number;
  days: number;
  seed: number;
  /** The longest delay of a host. */
  maxDelayMs: number;
}

/**
 * Many collections on few slow hosts, in virtual time: each host serves its queue in order, one request per delay. Some
 * collections are held for a time, and our own network is down for six hours.
 */
export class CrowdedWorld {
  readonly hosts = new Map<string, CrowdedHost>();
  /** The number of sweeps that have ended with all their results, by collection. */
  readonly swept = new Map<string, number>();
  readonly everHeld = new Set<string>();
  /** What was sent while its collection was held. */
  readonly sentInHold: string[] = [];
  sent = 0;
  withdrawn = 0;
  private nowMs = start.getTime();
  private isDown = false;
  private readonly held = new Set<string>();
  private readonly collections = new Map<string, Collection>();
  private readonly latest = new Map<string, Sweep>();
  private readonly sweeps = new Map<string, Sweep>();
  private readonly random: () => number;
  private readonly ports: LinkWorld["ports"];
  private readonly crowd: Crowd;

  constructor(crowd: Crowd) {
    this.crowd = crowd;
    this.random = seededRandom(crowd.seed);
    const names = Array.from({ length: crowd.hosts }, (_, index) => `host-${index}.example`);
    for (const name of names) {
      const delayMs = Math.round(crowd.maxDelayMs * 4 ** -this.random());
      this.hosts.set(name, { delayMs, readyAtMs: 0, queue: [], longestQueue: 0, collections: [] });
    }
    for (let index = 0; index < crowd.collections; index += 1) {
      // Some hosts have many collections, others have few.
      const name = names[Math.floor(this.random() ** 2 * names.length)] as string;
      const collectionId = `c${index}-${name}`.toLowerCase();
      this.hosts.get(name)?.collections.push(collectionId);
      const collection = readCollection({ collectionId, title: collectionId });
      this.collections.set(collectionId, collection);
    }
    this.ports = this.openPorts();
  }

  async live(): Promise<void> {
    const ticks = (this.crowd.days * 24) / 2;
    const outage = Math.floor(ticks / 2);
    for (let tick = 0; tick < ticks; tick += 1) {
      this.isDown = outage <= tick && tick < outage + 3;
      this.toggleHolds();
      await sweepCollections(new Date(this.nowMs), this.ports);
      await this.pass(intervalMs);
    }
  }

  /** Returns the number of sweeps that a host's time permits for each of its collections. */
  permitted({ delayMs, collections }: CrowdedHost): number {
    const ticks = (this.crowd.days * 24) / 2 - 3;
    const checks = (ticks * intervalMs) / (delayMs + exchangeMs);
    return Math.min(ticks, checks / (samples * collections.length));
  }

  /** The longest queue of checks that a host should ever have. */
  tolerated({ delayMs }: CrowdedHost): number {
    return intervalMs / delayMs + 2 * samples;
  }

  private toggleHolds(): void {
    for (const collectionId of this.collections.keys()) {
      if (this.random() > 0.0005) continue;
      if (this.held.delete(collectionId)) continue;
      this.held.add(collectionId);
      this.everHeld.add(collectionId);
    }
  }

  /** Each host serves its queue until the time has passed. */
  private async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    const fromMs = this.nowMs;
    for (const host of this.hosts.values()) {
      host.longestQueue = Math.max(host.longestQueue, host.queue.length);
      host.readyAtMs = Math.max(host.readyAtMs, fromMs);
      while (!this.isDown && host.readyAtMs < untilMs) {
        const request = host.queue.shift();
        if (request === undefined) break;
        this.nowMs = host.readyAtMs;
        if (await this.serve(outboundRequest.parse(request))) host.readyAtMs += host.delayMs + exchangeMs;
      }
    }
    this.nowMs = untilMs;
  }

  /** @returns whether the host was requested */
  private async serve(request: OutboundRequest): Promise<boolean> {
    const why = await findWithdrawalReason(request, this.ports);
    const isLate = request.notAfter !== undefined && this.nowMs > Date.parse(request.notAfter);
    if (why !== undefined || isLate) {
      this.withdrawn += 1;
      const reason = why === undefined ? tooLate : withdrawn;
      await judgeCheck({ request, outcome: { type: "refused", reason, detail: "why" } }, this.ports);
      return false;
    }
    this.sent += 1;
    if (this.held.has(String(request.context.collectionId))) this.sentInHold.push(request.url);
    await judgeCheck({ request, outcome: alive(request.url) }, this.ports);
    return true;
  }

  private openPorts(): LinkWorld["ports"] {
    const { ports } = new LinkWorld();
    const all = async () => ({
      collections: [...this.collections.values()].map((each) => this.effective(each)),
      unusable: [],
    });
    const link = (collectionId: string, number: number) => ({
      recordId: `${collectionId}-${number}`,
      collectionId,
      title: "",
      syndicatedAt: "",
      landingUrl: `https://${collectionId.replace(/^c\d+-/, "")}/${collectionId}/${number}`,
    });
    return {
      ...ports,
      collections: {
        ...ports.collections,
        all,
        get: async (id) => {
          const collection = this.collections.get(id);
          return collection && { collection: this.effective(collection) };
        },
        linkStatuses: async () => new Map(),
      },
      records: {
        ...ports.records,
        oldest: async (id) => [link(id, 1), link(id, 2)],
        newest: async (id) => [link(id, 4), link(id, 3)],
        overduePages: async function* () {},
      },
      history: { ...ports.history, add: async () => {} },
      statistics: { ...ports.statistics, add: async () => {} },
      sweeps: {
        ...ports.sweeps,
        get: async () => undefined,
        latest: async (ids) =>
          new Map(ids.flatMap((id) => (this.latest.has(id) ? [[id, this.latest.get(id) as Sweep]] : []))),
        open: async (sweep) => {
          const before = this.latest.get(sweep.collectionId);
          if (before !== undefined && isOpen(before, sweep.requestedAt)) return undefined;
          if (before !== undefined) this.sweeps.delete(before.sweepId);
          this.latest.set(sweep.collectionId, sweep);
          this.sweeps.set(sweep.sweepId, sweep);
          return sweep;
        },
        addResult: async (sweepId, checkId, result) => this.addResult(sweepId, checkId, result),
      },
      requests: {
        send: async (requests) => {
          for (const request of requests) this.hosts.get(hostKeyOf(request.url))?.queue.push(request);
        },
      },
      delayOf: async (hostKey) => ({ defaultMs: this.hosts.get(hostKey)?.delayMs ?? 1000, minMs: 0 }),
      networkIsDown: async () => this.isDown,
      clock: { now: () => new Date(this.nowMs), sleep: async () => {} },
    };
  }

  private addResult(sweepId: string, checkId: string, result: Sweep["results"][string]): Sweep | undefined {
    const sweep = this.sweeps.get(sweepId);
    if (sweep === undefined) return undefined;
    sweep.results[checkId] ??= result;
    if (concludeSweep(sweep)?.verdict === "alive")
      this.swept.set(sweep.collectionId, (this.swept.get(sweep.collectionId) ?? 0) + 1);
    return sweep;
  }

  private effective(collection: Collection): Collection {
    return this.held.has(collection.collectionId) ? { ...collection, hold: true } : collection;
  }
}

function alive(url: string): ResponseOutcome {
  const headers = { "content-type": "application/pdf" };
  return { type: "answered", status: 200, url, hops: [{ url, status: 200 }], headers, elapsedMs: 1 };
}

import type { PastCheck } from "../../../shared/links/check/history.ts";
import { coalescedMs, requestCheck } from "../../../shared/links/check/request-check.ts";
import { whyWithdrawn } from "../../../shared/links/check/withdrawn.ts";
import {
  type Collection,
  type NewCollection,
  readCollection,
  statusOf,
  type UnusableCollection,
} from "../../../shared/links/fate/collection.ts";
import type { Fate, StatusChange } from "../../../shared/links/fate/fate.ts";
import { holdCollection } from "../../../shared/links/fate/hold.ts";
import { judgeCheck } from "../../../shared/links/fate/judge-check.ts";
import type { LinkedRecord } from "../../../shared/links/fate/linked-record.ts";
import type { LinkChange } from "../../../shared/links/report/statistics.ts";
import type { LinkSample } from "../../../shared/links/sweep/estimate.ts";
import type { SampleCursor } from "../../../shared/links/sweep/sample-links.ts";
import type { Sweep } from "../../../shared/links/sweep/sweep.ts";
import { sweepCollections } from "../../../shared/links/sweep/sweep-collections.ts";
import type {
  CollectionStore,
  DomainEvent,
  LinkHistory,
  LinkRecords,
  LinkSamples,
  LinkStatistics,
  Mail,
  SweepStore,
} from "../../../shared/ports.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/gate/request.ts";
import { type InboundResponse, inboundResponse, withdrawn } from "../../../shared/web/gate/response.ts";

export const hourMs = 3_600_000;
export const start = new Date("2026-11-20T08:00:00Z");

/** What a host says to a link: a status, a page, the statuses of a chain, or nothing. */
export type Reply = number | number[] | { status?: number; page: string } | "no answer";

/** Link checking with its ports in memory, hosts that answer as told, and a gate that is down with the network. */
export class LinkWorld {
  nowMs = start.getTime();
  networkIsDown = false;
  reply: (url: string) => Reply = () => 200;
  readonly asked: { url: string; at: string }[] = [];
  readonly mails: Mail[] = [];
  readonly published: DomainEvent[] = [];
  readonly records = new Map<string, LinkedRecord>();
  readonly counted = new Map<string, LinkChange>();
  readonly checks = new Map<string, PastCheck>();
  readonly drawn = new Map<string, LinkSample>();
  readonly cursors = new Map<string, SampleCursor>();
  /** Writes of fates. */
  moves = 0;
  /** Reads of tables and indexes. */
  reads = 0;
  /** Collections that somebody has spoilt since they were saved. */
  readonly unusable = new Map<string, UnusableCollection>();
  private readonly known = new Map<string, Collection>();
  private readonly untold = new Map<string, StatusChange[]>();
  private readonly fates = new Map<string, Fate>();
  private readonly sweeps = new Map<string, Sweep>();
  private readonly claims = new Map<string, string>();
  private readonly pages = new Map<string, string>();
  private readonly line: NewRequest[] = [];
  private readonly taken = new Set<string>();
  private readonly later = new Map<string, { atMs: number; request: NewRequest }>();

  addCollection(collection: NewCollection, records = 4): void {
    this.known.set(collection.collectionId, readCollection(collection));
    for (let number = 1; number <= records; number += 1) this.addRecord(collection.collectionId, number);
  }

  addRecord(collectionId: string, number: number, more: Partial<LinkedRecord> = {}): string {
    const recordId = `${collectionId}-${String(number).padStart(3, "0")}`;
    this.records.set(recordId, {
      recordId,
      collectionId,
      title: recordId,
      landingUrl: `https://${collectionId}.example/${number}`,
      syndicatedAt: new Date(start.getTime() - 1000 * hourMs + number * hourMs).toISOString(),
      ...more,
    });
    return recordId;
  }

  statusOf(collectionId: string): string {
    return this.fates.get(collectionId)?.status ?? "active";
  }

  linkStatusOf(recordId: string): string {
    return this.records.get(recordId)?.link?.status ?? "active";
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { change } of this.counted.values()) counts[change] = (counts[change] ?? 0) + 1;
    return counts;
  }

  get verdicts(): string[] {
    return [...this.checks.values()].map(({ verdict }) => verdict);
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  /** An operator holds a collection, or releases it. */
  async hold(collectionId: string, hold = true): Promise<void> {
    await holdCollection({ collectionId, hold }, this.ports);
  }

  async sweep(): Promise<void> {
    await sweepCollections(this.now, this.ports);
    await this.settle();
  }

  /** A reader opens a record's page. */
  async open(recordId: string): Promise<string> {
    const record = this.records.get(recordId);
    if (record === undefined) throw new Error(`no record ${recordId}`);
    const done = await requestCheck(record, this.ports);
    await this.settle();
    return done;
  }

  /** Lets time pass: further attempts are made when they are due. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.later].sort(([, a], [, b]) => a.atMs - b.atMs);
      if (next === undefined || next[1].atMs > untilMs) break;
      const [id, { atMs, request }] = next;
      this.later.delete(id);
      this.nowMs = Math.max(this.nowMs, atMs);
      this.line.push(request);
      await this.settle();
    }
    this.nowMs = untilMs;
  }

  get attemptsDue(): string[] {
    return [...this.later.values()].map(({ atMs }) => new Date(atMs).toISOString());
  }

  /** The gate serves what waits; what it has served under the same id is done. */
  async settle(): Promise<void> {
    while (!this.networkIsDown) {
      const request = this.line.shift();
      if (request === undefined) return;
      if (this.taken.has(request.id)) continue;
      this.taken.add(request.id);
      await this.deliver(request);
    }
  }

  /** Hands the answer to a request to the judge. */
  async deliver(request: NewRequest): Promise<void> {
    const detail = await whyWithdrawn(outboundRequest.parse(request), this.ports);
    if (detail !== undefined) {
      const outcome = { type: "refused", reason: withdrawn, detail };
      return judgeCheck(inboundResponse.parse({ request, outcome }), this.ports);
    }
    this.asked.push({ url: request.url, at: this.now.toISOString() });
    await judgeCheck(this.responseTo(request), this.ports);
  }

  responseTo(request: NewRequest): InboundResponse {
    return inboundResponse.parse({
      request: outboundRequest.parse(request),
      outcome: this.outcomeOf(request.url),
    });
  }

  private outcomeOf(url: string): unknown {
    const reply = this.reply(url);
    if (reply === "no answer")
      return { type: "failed", reason: "connect", detail: "nobody there", attempts: 4 };
    const page = typeof reply === "object" && "page" in reply ? reply : undefined;
    const statuses = Array.isArray(reply)
      ? reply
      : [page === undefined ? (reply as number) : (page.status ?? 200)];
    const hops = statuses.map((status, index) => ({ url: index === 0 ? url : `${url}/${index}`, status }));
    if (page !== undefined) this.pages.set(url, page.page);
    return {
      type: "answered",
      status: hops.at(-1)?.status,
      url,
      hops,
      headers: { "content-type": "text/html; charset=utf-8" },
      ...(page !== undefined && { bodyKey: url }),
      elapsedMs: 1,
    };
  }

  /** In pages of 500. */
  private async *overduePages(before: string): AsyncGenerator<LinkedRecord[]> {
    const dueAt = ({ link }: LinkedRecord) => link?.nextAttemptAt ?? "";
    const overdue = [...this.records.values()]
      .filter((record) => dueAt(record) !== "" && dueAt(record) < before)
      .sort((a, b) => (dueAt(a) < dueAt(b) ? -1 : 1));
    this.reads += 1;
    yield overdue.slice(0, 500);
    for (let at = 500; at < overdue.length; at += 500) {
      this.reads += 1;
      yield overdue.slice(at, at + 500);
    }
  }

  private ofCollection(collectionId: string): LinkedRecord[] {
    this.reads += 1;
    return [...this.records.values()]
      .filter((record) => record.collectionId === collectionId)
      .sort((a, b) => (a.syndicatedAt < b.syndicatedAt ? -1 : 1));
  }

  private readonly collectionStore: CollectionStore = {
    get: async (id) => {
      this.reads += 1;
      const unusable = this.unusable.get(id);
      if (unusable !== undefined) return { unusable };
      const collection = this.known.get(id);
      return collection && { collection };
    },
    all: async () => {
      this.reads += 1;
      const collections = [...this.known.values()].filter((each) => !this.unusable.has(each.collectionId));
      return { collections, unusable: [...this.unusable.values()] };
    },
    status: async (id) => {
      this.reads += 2;
      return statusOf(this.unusable.get(id) ?? this.known.get(id), this.fates.get(id));
    },
    save: async (collection) => {
      const { hold = false } = this.known.get(collection.collectionId) ?? {};
      this.known.set(collection.collectionId, { ...collection, hold });
    },
    setHold: async (id, hold, change) => {
      const collection = this.known.get(id);
      const untold = this.untold.get(id) ?? [];
      if (collection === undefined || collection.hold === hold) return untold;
      this.known.set(id, { ...collection, hold });
      const now = [...untold, ...(change === undefined ? [] : [change])];
      this.untold.set(id, now);
      return now;
    },
    remove: async (id) => {
      this.known.delete(id);
      this.unusable.delete(id);
      this.fates.delete(id);
    },
    toldHold: async (id, told) => {
      if (this.untold.get(id)?.length === told.length) this.untold.delete(id);
    },
    fate: async (id) => {
      this.reads += 1;
      return this.fates.get(id);
    },
    fates: async () => {
      this.reads += 1;
      return new Map(this.fates);
    },
    moveFate: async (id, fate, was) => {
      if (this.fates.get(id)?.checkId !== was?.checkId) return false;
      this.moves += 1;
      this.fates.set(id, fate);
      return true;
    },
  };

  private readonly linkRecords: LinkRecords = {
    get: async (id) => {
      this.reads += 1;
      return this.records.get(id);
    },
    oldest: async (id, count) =>
      this.ofCollection(id)
        .filter(({ link }) => link?.status !== "deleted")
        .slice(0, count),
    newest: async (id, count) =>
      this.ofCollection(id)
        .filter(({ link }) => link?.status !== "deleted")
        .reverse()
        .slice(0, count),
    byDigest: async (id, { after = "", limit }) =>
      this.ofCollection(id)
        .filter(({ recordId }) => recordId > after)
        .sort((a, b) => (a.recordId < b.recordId ? -1 : 1))
        .slice(0, limit),
    overduePages: (before) => this.overduePages(before),
    list: async (id, { limit, after }) => {
      const active = this.ofCollection(id)
        .reverse()
        .filter(({ link }) => (link?.status ?? "active") === "active");
      const left = active.filter(({ syndicatedAt }) => !after || syndicatedAt < after.syndicatedAt);
      const items = left.slice(0, limit);
      const last = items.at(-1);
      return { items, ...(last && limit < left.length && { next: last }) };
    },
    move: async ({ recordId, link }, fate) => {
      const record = this.records.get(recordId);
      if (record === undefined || record.link?.checkId !== link?.checkId) return false;
      this.moves += 1;
      this.records.set(recordId, { ...record, link: fate });
      return true;
    },
    claimCheck: async (recordId, { askedAt, notSince }) => {
      const before = this.claims.get(recordId);
      if (before !== undefined && before >= notSince) return false;
      this.claims.set(recordId, askedAt);
      return true;
    },
    giveBackCheck: async (recordId, askedAt) => {
      if (this.claims.get(recordId) === askedAt) this.claims.delete(recordId);
    },
  };

  private readonly sweepStore: SweepStore = {
    open: async (sweep) => {
      const kept = this.sweeps.get(sweep.sweepId) ?? structuredClone(sweep);
      this.sweeps.set(sweep.sweepId, kept);
      return structuredClone(kept);
    },
    gather: async (sweepId, checkId, finding) => {
      const sweep = this.sweeps.get(sweepId);
      if (sweep === undefined) return undefined;
      sweep.findings[checkId] ??= finding;
      return structuredClone(sweep);
    },
  };

  private readonly history: LinkHistory = {
    add: async (check) => {
      if (!this.checks.has(check.checkId)) this.checks.set(check.checkId, check);
    },
    latest: async (recordId, limit) =>
      [...this.checks.values()]
        .filter((check) => check.recordId === recordId)
        .sort((a, b) => (a.askedAt < b.askedAt ? 1 : -1))
        .slice(0, limit),
  };

  private readonly statistics: LinkStatistics = {
    count: async (change) => {
      this.counted.set(`${change.day} ${change.collectionId} ${change.change} ${change.recordId}`, change);
    },
    ofDay: async (day) => [...this.counted.values()].filter((change) => change.day === day),
    ofCollection: async (id, day) =>
      [...this.counted.values()].filter((change) => change.day === day && change.collectionId === id),
  };

  private readonly samples: LinkSamples = {
    add: async (sample) =>
      void this.drawn.set(`${sample.collectionId} ${sample.day} ${sample.recordId}`, sample),
    between: async (id, { from, to }) =>
      [...this.drawn.values()].filter(
        ({ collectionId, day }) => collectionId === id && from <= day && day <= to,
      ),
    cursor: async (id) => this.cursors.get(id),
    moveCursor: async (id, cursor) => void this.cursors.set(id, cursor),
  };

  readonly ports = {
    collections: this.collectionStore,
    records: this.linkRecords,
    sweeps: this.sweepStore,
    history: this.history,
    statistics: this.statistics,
    samples: this.samples,
    bodies: { body: async (key: string) => new TextEncoder().encode(this.pages.get(key)) },
    requests: { send: async (requests: NewRequest[]) => void this.line.push(...requests) },
    rechecks: {
      at: async (time: string, request: NewRequest) => {
        if (!this.later.has(request.id)) this.later.set(request.id, { atMs: Date.parse(time), request });
      },
    },
    events: { publish: async (event: DomainEvent) => void this.published.push(event) },
    mailer: { send: async (mail: Mail) => void this.mails.push(mail) },
    recipients: ["all@library.example"],
    // Not counted among the reads: one serves all messages of a second.
    networkIsDown: async () => this.networkIsDown,
    clock: { now: () => this.now, sleep: async () => {} },
    timeZone: "Pacific/Auckland",
  };
}

/** Longer than readers' requests for the same record are one. */
export const afterCoalescing = coalescedMs + 1;

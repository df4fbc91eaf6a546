import type { BusyHosts } from "../../../shared/links/capacity/busy-hosts.ts";
import type { LinkHistory, PastCheck } from "../../../shared/links/check/check-history.ts";
import { coalesceWindowMs, requestCheck } from "../../../shared/links/check/request-check.ts";
import { findWithdrawalReason } from "../../../shared/links/check/withdrawn.ts";
import { judgeCheck } from "../../../shared/links/judge/judge-check.ts";
import {
  type Collection,
  collectionStatusOf,
  type NewCollection,
  readCollection,
  type UnusableCollection,
} from "../../../shared/links/status/collection.ts";
import type { CollectionStore } from "../../../shared/links/status/collection-store.ts";
import { holdCollection } from "../../../shared/links/status/hold-collection.ts";
import type { LinkRecords } from "../../../shared/links/status/link-records.ts";
import type { LinkStatus, StatusChange } from "../../../shared/links/status/link-status.ts";
import type { RecordLink } from "../../../shared/links/status/record-link.ts";
import type {
  CollectionChange,
  LinkChange,
  LinkStatistics,
} from "../../../shared/links/status/statistics.ts";
import type { Sweep, SweepStore } from "../../../shared/links/status/stored-sweep.ts";
import type { LinkSample, Share } from "../../../shared/links/sweep/estimate.ts";
import type { LinkSamples, SampleCursor } from "../../../shared/links/sweep/link-samples.ts";
import { isOpen } from "../../../shared/links/sweep/sweep.ts";
import { sweepCollections } from "../../../shared/links/sweep/sweep-collections.ts";
import { isStatusOfPage } from "../../../shared/links/verdict/verdict.ts";
import type { DomainEvent } from "../../../shared/records/events/events.ts";
import type { Mail } from "../../../shared/records/mail/mailer.ts";
import { type NewRequest, outboundRequest } from "../../../shared/web/request/request.ts";
import { type InboundResponse, inboundResponse, withdrawn } from "../../../shared/web/request/response.ts";
import { assertEvent } from "../assert-event.ts";
import { memoryHostShares } from "../memory/host-shares.ts";

export const hourMs = 3_600_000;
export const start = new Date("2026-11-20T08:00:00Z");

/** The reply of a host: a status, a page, the statuses of a chain, or nothing; or it gets no request. */
export type Reply = number | number[] | { status?: number; page: string } | "no answer" | "unavailable";

/** What operators say in these tests. */
export const byOperator = { by: "anna", reason: "the publisher moves" };

/** Link checking with ports in memory, hosts that reply by `reply`, and a gate that stops with the network. */
export class LinkWorld {
  nowMs = start.getTime();
  networkIsDown = false;
  reply: (url: string) => Reply = () => 200;
  readonly requested: { url: string; at: string }[] = [];
  readonly mails: Mail[] = [];
  readonly published: DomainEvent[] = [];
  readonly records = new Map<string, RecordLink>();
  readonly countedChanges = new Map<string, LinkChange | CollectionChange>();
  readonly checks = new Map<string, PastCheck>();
  readonly drawnSamples = new Map<string, LinkSample>();
  readonly cursors = new Map<string, SampleCursor>();
  /** Writes of link statuses. */
  statusWrites = 0;
  /** Reads of tables and indexes. */
  reads = 0;
  /** Stored collections that became invalid. */
  readonly unusable = new Map<string, UnusableCollection>();
  private readonly collections = new Map<string, Collection>();
  /** How often each collection was saved. */
  readonly revisions = new Map<string, number>();
  /** What others do before a collection is saved or removed. */
  meanwhile: (() => void) | undefined;
  private readonly pendingNotifications = new Map<string, StatusChange[]>();
  private readonly linkStatuses = new Map<string, LinkStatus>();
  private readonly sweeps = new Map<string, Sweep>();
  private readonly latestSweeps = new Map<string, string>();
  private readonly claims = new Map<string, string>();
  private readonly pages = new Map<string, string>();
  private readonly queue: NewRequest[] = [];
  private readonly served = new Set<string>();
  private readonly scheduled = new Map<string, { atMs: number; request: NewRequest }>();

  addCollection(collection: NewCollection, records = 4): void {
    this.collections.set(collection.collectionId, readCollection(collection));
    for (let number = 1; number <= records; number += 1) this.addRecord(collection.collectionId, number);
  }

  addRecord(collectionId: string, number: number, more: Partial<RecordLink> = {}): string {
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
    return this.linkStatuses.get(collectionId)?.status ?? "active";
  }

  linkStatusOf(recordId: string): string {
    return this.records.get(recordId)?.link?.status ?? "active";
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { change } of this.countedChanges.values())
      if (change !== "collection") counts[change] = (counts[change] ?? 0) + 1;
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
    await holdCollection({ collectionId, hold, decision: byOperator }, this.ports);
  }

  async sweep(): Promise<void> {
    await sweepCollections(this.now, this.ports);
    await this.settle();
  }

  /** A reader opens a record's page. */
  async openRecord(recordId: string): Promise<string> {
    const record = this.records.get(recordId);
    if (record === undefined) throw new Error(`no record ${recordId}`);
    const { type } = await requestCheck(record, this.ports);
    await this.settle();
    return type;
  }

  /** Lets time pass and makes attempts when they are due. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.scheduled].sort(([, a], [, b]) => a.atMs - b.atMs);
      if (next === undefined || next[1].atMs > untilMs) break;
      const [id, { atMs, request }] = next;
      this.scheduled.delete(id);
      this.nowMs = Math.max(this.nowMs, atMs);
      this.queue.push(request);
      await this.settle();
    }
    this.nowMs = untilMs;
  }

  get attemptsDue(): string[] {
    return [...this.scheduled.values()].map(({ atMs }) => new Date(atMs).toISOString());
  }

  /** Serves all queued requests, each id once, as the gate does. */
  async settle(): Promise<void> {
    while (!this.networkIsDown) {
      const request = this.queue.shift();
      if (request === undefined) return;
      if (this.served.has(request.id)) continue;
      this.served.add(request.id);
      await this.deliver(request);
    }
  }

  /** Delivers the response of a request to `judgeCheck`. */
  async deliver(request: NewRequest): Promise<void> {
    const detail = await findWithdrawalReason(outboundRequest.parse(request), this.ports);
    if (detail !== undefined) {
      const outcome = { type: "refused", reason: withdrawn, detail };
      return judgeCheck(inboundResponse.parse({ request, outcome }), this.ports);
    }
    this.requested.push({ url: request.url, at: this.now.toISOString() });
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
    if (reply === "unavailable") {
      const detail = "c.example is unavailable: it could not be reached";
      return { type: "failed", reason: "unavailable", detail, attempts: 0 };
    }
    const page = typeof reply === "object" && "page" in reply ? reply : undefined;
    const statuses = Array.isArray(reply)
      ? reply
      : [page === undefined ? (reply as number) : (page.status ?? 200)];
    const hops = statuses.map((status, index) => ({ url: index === 0 ? url : `${url}/${index}`, status }));
    const text = page?.page ?? (isStatusOfPage(statuses.at(-1) ?? 0) ? "<h1>A page</h1>" : undefined);
    if (text !== undefined) this.pages.set(url, text);
    return {
      type: "answered",
      status: hops.at(-1)?.status,
      url,
      hops,
      headers: { "content-type": "text/html; charset=utf-8" },
      ...(text !== undefined && { bodyKey: url }),
      elapsedMs: 1,
    };
  }

  /** In pages of 500. */
  private async *overduePages(before: string): AsyncGenerator<RecordLink[]> {
    const dueAt = ({ link }: RecordLink) => link?.nextAttemptAt ?? "";
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

  private ofCollection(collectionId: string): RecordLink[] {
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
      const collection = this.collections.get(id);
      const revision = this.revisions.get(id);
      return collection && { collection, ...(revision !== undefined && { revision }) };
    },
    all: async () => {
      this.reads += 1;
      const collections = [...this.collections.values()].filter(
        (each) => !this.unusable.has(each.collectionId),
      );
      return { collections, unusable: [...this.unusable.values()] };
    },
    page: async ({ limit, after = "" }) => {
      const ids = [...this.collections.keys()].filter((id) => id > after).sort();
      return this.collectionStore.many(ids.slice(0, limit));
    },
    many: async (ids) =>
      (await Promise.all(ids.map((id) => this.collectionStore.get(id)))).filter((each) => each !== undefined),
    status: async (id) => {
      this.reads += 2;
      return collectionStatusOf(this.unusable.get(id) ?? this.collections.get(id), this.linkStatuses.get(id));
    },
    save: async (collection, before) => {
      const { collectionId } = collection;
      this.meanwhile?.();
      if (before !== undefined && this.revisions.get(collectionId) !== before.revision) return undefined;
      const { hold = false } = this.collections.get(collectionId) ?? {};
      this.collections.set(collectionId, { ...collection, hold });
      const revision = (this.revisions.get(collectionId) ?? 0) + 1;
      this.revisions.set(collectionId, revision);
      return revision;
    },
    setHold: async (id, held, change) => {
      const hold = held !== undefined;
      const collection = this.collections.get(id);
      const pendingNotifications = this.pendingNotifications.get(id) ?? [];
      if (collection === undefined || collection.hold === hold) return pendingNotifications;
      this.collections.set(id, { ...collection, hold });
      const now = [...pendingNotifications, ...(change === undefined ? [] : [change])];
      this.pendingNotifications.set(id, now);
      return now;
    },
    remove: async (id, before) => {
      this.meanwhile?.();
      if (before !== undefined && this.revisions.get(id) !== before.revision) return false;
      this.collections.delete(id);
      this.revisions.delete(id);
      this.unusable.delete(id);
      this.linkStatuses.delete(id);
      return true;
    },
    clearPendingNotifications: async (id, sent) => {
      if (this.pendingNotifications.get(id)?.length === sent.length) this.pendingNotifications.delete(id);
    },
    linkStatus: async (id) => {
      this.reads += 1;
      return this.linkStatuses.get(id);
    },
    linkStatuses: async () => {
      this.reads += 1;
      return new Map(this.linkStatuses);
    },
    linkStatusesOf: async (ids) =>
      new Map([...this.linkStatuses].filter(([collectionId]) => ids.includes(collectionId))),
    replaceLinkStatus: async (id, linkStatus, was) => {
      if (this.linkStatuses.get(id)?.checkId !== was?.checkId) return false;
      this.statusWrites += 1;
      this.linkStatuses.set(id, linkStatus);
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
    listInIdOrder: async (id, { after = "", limit }) =>
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
    listByState: async (state, { collectionId, limit, after }) => {
      const atOf = ({ link }: RecordLink) => link?.nextAttemptAt ?? link?.since ?? "";
      const isBefore = (a: string, b: string) => (state === "suppressed" ? a < b : a > b);
      const left = [...this.records.values()]
        .filter((record) => record.link?.status === state)
        .filter((record) => collectionId === undefined || record.collectionId === collectionId)
        .sort((a, b) => (isBefore(atOf(a), atOf(b)) ? -1 : 1))
        .filter((record) => after === undefined || isBefore(after.at, atOf(record)));
      const items = left.slice(0, limit);
      const last = items.at(-1);
      return {
        items,
        ...(last && limit < left.length && { next: { at: atOf(last), recordId: last.recordId } }),
      };
    },
    replaceLinkStatus: async ({ recordId, link }, linkStatus) => {
      const record = this.records.get(recordId);
      if (record === undefined || record.link?.checkId !== link?.checkId) return false;
      this.statusWrites += 1;
      this.records.set(recordId, { ...record, link: linkStatus });
      return true;
    },
    claimCheck: async (recordId, { requestedAt, notSince }) => {
      const before = this.claims.get(recordId);
      if (before !== undefined && before >= notSince) return false;
      this.claims.set(recordId, requestedAt);
      return true;
    },
    releaseCheck: async (recordId, requestedAt) => {
      if (this.claims.get(recordId) === requestedAt) this.claims.delete(recordId);
    },
  };

  private readonly sweepStore: SweepStore = {
    create: async (sweep) => {
      const kept = this.sweeps.get(sweep.sweepId) ?? structuredClone(sweep);
      this.sweeps.set(sweep.sweepId, kept);
      return structuredClone(kept);
    },
    get: async (sweepId) => {
      this.reads += 1;
      return structuredClone(this.sweeps.get(sweepId));
    },
    latest: async (collectionIds) => {
      this.reads += 2 * Math.ceil(collectionIds.length / 100);
      const sweeps = collectionIds.flatMap((id) => this.sweeps.get(this.latestSweeps.get(id) ?? "") ?? []);
      return new Map(sweeps.map((sweep) => [sweep.collectionId, structuredClone(sweep)]));
    },
    open: async (sweep) => {
      this.reads += 2;
      const { collectionId, sweepId, requestedAt } = sweep;
      const latest = this.sweeps.get(this.latestSweeps.get(collectionId) ?? "");
      const isOther = latest !== undefined && latest.sweepId !== sweepId;
      if (isOther && (requestedAt < latest.requestedAt || isOpen(latest, requestedAt))) return undefined;
      this.latestSweeps.set(collectionId, sweepId);
      return this.sweepStore.create(sweep);
    },
    addResult: async (sweepId, checkId, result) => {
      const sweep = this.sweeps.get(sweepId);
      if (sweep === undefined) return undefined;
      sweep.results[checkId] ??= result;
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
        .sort((a, b) => (a.requestedAt < b.requestedAt ? 1 : -1))
        .slice(0, limit),
  };

  private readonly statistics: LinkStatistics = {
    add: async (change) => {
      this.countedChanges.set(
        `${change.day} ${change.collectionId} ${change.change} ${change.change === "collection" ? change.at : change.recordId}`,
        change,
      );
    },
    ofDay: async (day) => [...this.countedChanges.values()].filter((change) => change.day === day),
    ofCollection: async (id, day) =>
      [...this.countedChanges.values()].filter((change) => change.day === day && change.collectionId === id),
  };

  overallShare: Share | undefined;
  busyHosts: BusyHosts | undefined;
  /** The delay of each host. */
  delayMs: (hostKey: string) => number = () => 1000;

  private readonly samples: LinkSamples = {
    add: async (sample) =>
      void this.drawnSamples.set(`${sample.collectionId} ${sample.day} ${sample.recordId}`, sample),
    between: async (id, { from, to }) =>
      [...this.drawnSamples.values()].filter(
        ({ collectionId, day }) => collectionId === id && from <= day && day <= to,
      ),
    cursor: async (id) => this.cursors.get(id),
    saveCursor: async (id, cursor) => void this.cursors.set(id, cursor),
    overall: async () => this.overallShare,
    saveOverall: async (share) => {
      if ((this.overallShare?.to ?? "") <= share.to) this.overallShare = share;
    },
  };

  readonly ports = {
    collections: this.collectionStore,
    records: this.linkRecords,
    sweeps: this.sweepStore,
    history: this.history,
    statistics: this.statistics,
    samples: this.samples,
    bodies: { load: async (key: string) => new TextEncoder().encode(this.pages.get(key)) },
    requests: { send: async (requests: NewRequest[]) => void this.queue.push(...requests) },
    shares: memoryHostShares(),
    busyHosts: {
      save: async (busy: BusyHosts) => {
        if ((this.busyHosts?.at ?? "") <= busy.at) this.busyHosts = busy;
      },
      latest: async () => this.busyHosts,
    },
    delayOf: async (hostKey: string) => ({ defaultMs: this.delayMs(hostKey), minMs: 0 }),
    hourlyShare: 60,
    rechecks: {
      schedule: async (time: string, request: NewRequest) => {
        if (!this.scheduled.has(request.id))
          this.scheduled.set(request.id, { atMs: Date.parse(time), request });
      },
    },
    events: {
      publish: async (event: DomainEvent) => {
        assertEvent(event);
        this.published.push(event);
      },
    },
    mailer: { send: async (mail: Mail) => void this.mails.push(mail) },
    recipients: ["all@library.example"],
    consoleUrl: "https://api.example/console",
    // Not counted: the function reads it once per second for all messages.
    networkIsDown: async () => this.networkIsDown,
    clock: { now: () => this.now, sleep: async () => {} },
    timeZone: "Pacific/Auckland",
  };
}

/** After this wait a reader's request causes a check again. */
export const afterCoalescing = coalesceWindowMs + 1;

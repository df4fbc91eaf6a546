import { memoryRuns, once, under } from "../../local/harvest/memory-runs.ts";
import { digest } from "../../shared/core/digest.ts";
import { ConfigError, RemoteError } from "../../shared/core/errors.ts";
import {
  type ArchiveClaim,
  type ArchiveEntry,
  blockedAs,
} from "../../shared/delivery/archive/archive-entry.ts";
import type { DelinquentRecord } from "../../shared/delivery/delinquent/delinquent-record.ts";
import { type Delivery, deliveryPlace } from "../../shared/delivery/plan/delivery.ts";
import type { Sending } from "../../shared/delivery/upload/sending.ts";
import type { Authority } from "../../shared/harvest/authority/authority.ts";
import type { DocumentOutcome, Run, RunMode, SourceOutcome } from "../../shared/harvest/run.ts";
import type { StoredRecord } from "../../shared/harvest/stored-record.ts";
import type { MarcRecord } from "../../shared/marc/record.ts";
import type {
  ArchiveStore,
  AuthorityStore,
  DelinquentStore,
  DeliveryStore,
  DomainEvent,
  Mail,
  RecordStore,
  Sftp,
  SftpSession,
  SourceStatus,
  SourceStatusStore,
  SourceStore,
  UnusableGroup,
  UnusableSource,
  UploadLease,
  ValidationRuleStore,
  WaitingArticles,
} from "../../shared/ports.ts";
import { type Group, group, type NewGroup } from "../../shared/sources/group.ts";
import { settings } from "../../shared/sources/settings.ts";
import type { Source } from "../../shared/sources/source.ts";
import { ruleKey, type ValidationRule } from "../../shared/validation/rule.ts";
import type { InboundResponse } from "../../shared/web/gate/response.ts";

/** Where a test lets the process die. */
export class Killed extends Error {}

/**
 * The ports in memory, with the promises that `shared/ports.ts` makes. `dieAfter` lets the process die at the n-th write,
 * before it or after it is done.
 */
export class MemoryPorts {
  readonly sourcesById = new Map<string, Source>();
  readonly unusable: UnusableSource[] = [];
  readonly unusableGroups: UnusableGroup[] = [];
  readonly groups = new Map<string, Group>();
  readonly statuses = new Map<string, SourceStatus>();
  readonly runsById = new Map<string, Run>();
  readonly listings = new Map<string, SourceOutcome>();
  readonly settledListings = new Map<string, string>();
  readonly claims = new Map<string, string>();
  readonly documentOutcomes = new Map<string, DocumentOutcome>();
  readonly tallies = new Map<string, { opened: Set<string>; closed: Set<string> }>();
  readonly results = new Map<string, string>();
  readonly recordsById = new Map<string, StoredRecord>();
  private readonly firstRunOf = new Map<string, string>();
  readonly marcByKey = new Map<string, MarcRecord>();
  readonly archived = new Map<string, ArchiveClaim & Partial<ArchiveEntry>>();
  readonly parts = new Map<string, string>();
  readonly authoritiesById = new Map<string, { authority: Authority; until: Date }>();
  private readonly waitingById = new Map<string, { response: InboundResponse; lookupIds: string[] }>();
  private readonly waiters = new Map<string, Set<string>>();
  readonly fileNames = new Map<string, string>();
  readonly sendings = new Map<string, Sending>();
  private readonly leases = new Map<string, UploadLease>();
  readonly files = new Map<string, Uint8Array>();
  readonly deliveriesByKey = new Map<string, Delivery>();
  readonly validationRules = new Map<string, ValidationRule>();
  readonly delinquentByKey = new Map<string, DelinquentRecord>();
  readonly mails: Mail[] = [];
  readonly published: DomainEvent[] = [];
  /** Writes left until the process dies; negative when it lives. */
  private left = -1;
  private dieBefore = false;
  now = new Date("2026-11-20T19:00:00Z");

  readonly clock = { now: () => this.now, sleep: () => Promise.resolve() };

  dieAfter(writes: number, { before }: { before: boolean }): void {
    this.left = writes;
    this.dieBefore = before;
  }

  live(): void {
    this.left = -1;
  }

  private async write<T>(work: () => T): Promise<T> {
    if (this.left === 0 && this.dieBefore) throw new Killed();
    const done = work();
    if (this.left === 0) throw new Killed();
    if (this.left > 0) this.left -= 1;
    return done;
  }

  /** The store, each of whose writes may be the last one. */
  private mortal<Store extends object>(store: Store, writes: (keyof Store)[]): Store {
    const mortal = { ...store };
    for (const name of writes) {
      const method = store[name] as (...given: unknown[]) => Promise<unknown>;
      mortal[name] = ((...given: unknown[]) => this.write(() => method(...given))) as Store[keyof Store];
    }
    return mortal;
  }

  readonly sources: SourceStore = {
    source: async (id) => {
      const unusable = this.unusable.find(({ sourceId }) => sourceId === id);
      if (unusable !== undefined) throw new ConfigError(`source ${id} is not valid: ${unusable.problem}`);
      return this.sourcesById.get(id);
    },
    sourcesOf: async (mode) => ({
      sources: [...this.sourcesById.values()].filter(
        ({ deliveryMode, newlySynced }) => deliveryMode === mode && !newlySynced,
      ),
      unusable: this.unusable,
    }),
    sourcesNamed: async (ids) => {
      const isNamed = ({ sourceId }: { sourceId: string }) => ids.includes(sourceId);
      const unusable = this.unusable.filter(isNamed);
      const isUsable = ({ sourceId }: Source) => !unusable.some((each) => each.sourceId === sourceId);
      return { sources: [...this.sourcesById.values()].filter(isNamed).filter(isUsable), unusable };
    },
    settings: async () => settings.parse({}),
    group: async (id) => {
      const unusable = this.unusableGroups.find(({ groupId }) => groupId === id);
      if (unusable !== undefined) throw new ConfigError(`group ${id} is not valid: ${unusable.problem}`);
      return this.groups.get(id);
    },
    groups: async () => ({ groups: [...this.groups.values()], unusable: this.unusableGroups }),
  };

  readonly status: SourceStatusStore = {
    statusOf: async (id) => this.statuses.get(id),
    added: (sourceId, addedAt) =>
      this.write(() => {
        if (!this.statuses.has(sourceId)) this.statuses.set(sourceId, { sourceId, addedAt });
      }),
    delivered: (sourceId, at) =>
      this.write(() => {
        const known = this.statuses.get(sourceId) ?? { sourceId, addedAt: at };
        if (known.lastDeliveredAt === undefined || known.lastDeliveredAt < at) {
          this.statuses.set(sourceId, { ...known, lastDeliveredAt: at });
        }
      }),
  };

  readonly runs = this.mortal(memoryRuns(this), [
    "create",
    "move",
    "count",
    "claimRequests",
    "saveListing",
    "settleListing",
    "saveDocument",
    "finishStage",
    "keepPart",
  ]);

  readonly records: RecordStore = {
    keepMarc: (recordId, record) =>
      this.write(() => {
        const key = `${recordId}/${digest(JSON.stringify(record))}`;
        this.marcByKey.set(key, record);
        return key;
      }),
    marc: async (key) => {
      const record = this.marcByKey.get(key);
      if (record === undefined) throw new Error(`no record at ${key}`);
      return record;
    },
    save: (record) =>
      this.write(() => {
        const firstRunId = once(this.firstRunOf, record.recordId, record.runId);
        const known = this.recordsById.get(record.recordId);
        const { deliveryMode: mode } = record;
        const isOpen = known?.state !== "delivered" && known?.runId !== record.runId;
        if (known === undefined || (known.deliveryMode === mode ? isOpen : mode === "LIVE"))
          this.recordsById.set(record.recordId, record);
        return firstRunId === record.runId;
      }),
    setState: ({ recordId, deliveryMode }, state, details = {}) =>
      this.write(() => {
        const record = this.recordsById.get(recordId);
        if (record?.deliveryMode === deliveryMode && record.state !== "delivered") {
          this.recordsById.set(recordId, { ...record, state, ...details });
        }
      }),
    reopen: ({ recordId, deliveryMode }) =>
      this.write(() => {
        const record = this.recordsById.get(recordId);
        if (record?.deliveryMode !== deliveryMode || record.state !== "delivered") return;
        const { deliveryFile: _old, ...rest } = record;
        this.recordsById.set(recordId, { ...rest, state: "harvested" });
      }),
    get: async (recordId) => this.recordsById.get(recordId),
  };

  readonly archive: ArchiveStore = {
    known: async (keys) => {
      const reasons = keys.map((key) => {
        const item = this.archived.get(key);
        return [key, item && blockedAs(item, this.now)] as const;
      });
      return new Map(reasons.flatMap(([key, reason]) => (reason === undefined ? [] : [[key, reason]])));
    },
    claim: (key, claim, at) =>
      this.write(() => {
        const held = this.archived.get(key);
        const isFree =
          held === undefined || (held.owner !== claim.owner && blockedAs(held, at) === undefined);
        if (isFree) {
          const { keys: _keys, error: _error, doi: _doi, expiresAt: _ended, ...kept } = held ?? {};
          this.archived.set(key, { ...kept, ...claim });
        }
        return isFree || held.owner === claim.owner;
      }),
    giveBack: (key, owner) =>
      this.write(() => {
        if (this.archived.get(key)?.owner === owner) this.archived.delete(key);
      }),
    describe: (entry) =>
      this.write(() => {
        const held = this.archived.get(entry.entryKey);
        if (held?.owner === entry.owner && ["claimed", entry.state].includes(held.state))
          this.archived.set(entry.entryKey, { ...held, ...entry });
      }),
    entry: async (key) => {
      const entry = this.archived.get(this.archived.get(key)?.entryKey ?? "");
      return entry?.keys === undefined ? undefined : (entry as ArchiveEntry);
    },
    setState: (key, owner, state) =>
      this.write(() => {
        const held = this.archived.get(key);
        if (held?.owner !== owner) return;
        const { expiresAt: _ended, ...kept } = held;
        this.archived.set(key, { ...kept, state });
      }),
  };

  readonly authorities: AuthorityStore = {
    known: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const kept = this.authoritiesById.get(id);
          return kept !== undefined && kept.until > this.now ? [[id, kept.authority] as const] : [];
        }),
      ),
    keep: (id, authority, until) =>
      this.write(() => {
        const kept = this.authoritiesById.get(id);
        if (kept === undefined || kept.until <= this.now) this.authoritiesById.set(id, { authority, until });
      }),
  };

  readonly waiting: WaitingArticles = {
    wait: async (runId, response, lookupIds) => {
      const { id } = response.request;
      await this.write(() => {
        const waiting = this.waitingById.get(`${runId} ${id}`) ?? { response, lookupIds: [] };
        const all = new Set([...waiting.lookupIds, ...lookupIds]);
        this.waitingById.set(`${runId} ${id}`, { response, lookupIds: [...all] });
      });
      for (const lookupId of lookupIds) {
        await this.write(() => void once(this.waiters, `${runId} ${lookupId}`, new Set<string>()).add(id));
      }
    },
    waitingFor: async (runId, lookupId) =>
      [...(this.waiters.get(`${runId} ${lookupId}`) ?? [])]
        .map((id) => this.waitingById.get(`${runId} ${id}`))
        .filter((waiting) => waiting !== undefined),
  };

  readonly deliveries: DeliveryStore = {
    allocate: (holder, nameOf) =>
      this.write(() => {
        for (let number = 1; ; number += 1) {
          const name = nameOf(number);
          if (once(this.fileNames, name, holder) === holder) return name;
        }
      }),
    write: async (key, content) => {
      const bytes = await gathered(content);
      return this.write(() => this.files.set(key, bytes).get(key)?.byteLength ?? 0);
    },
    content: async function* (this: MemoryPorts, key: string) {
      yield this.files.get(key) ?? new Uint8Array();
    }.bind(this),
    lease: (lease, nowMs) =>
      this.write(() => {
        const held = this.leases.get(lease.runId);
        if (held !== undefined && held.untilMs > nowMs) return held.untilMs;
        this.leases.set(lease.runId, lease);
        return nowMs;
      }),
    endLease: ({ runId, holder }) =>
      this.write(() => {
        if (this.leases.get(runId)?.holder === holder) this.leases.delete(runId);
      }),
    sending: async (fileName) => this.sendings.get(fileName),
    noteSending: (fileName, sending) => this.write(() => void this.sendings.set(fileName, sending)),
    save: (delivery) => this.write(() => once(this.deliveriesByKey, delivery.key, delivery)),
    list: async ({ limit, after }) =>
      [...this.deliveriesByKey.values()]
        .filter((delivery) => after === undefined || deliveryPlace(delivery) < after)
        .sort((a, b) => (deliveryPlace(a) < deliveryPlace(b) ? 1 : -1))
        .slice(0, limit),
  };

  /** The files at a receiver that are not under their final names yet. */
  readonly remote = new Map<string, Uint8Array>();
  /** What the receiver has taken away, which it does at once. */
  readonly received: [path: string, content: Uint8Array][] = [];
  /** Why the receivers of groups cannot be delivered to. */
  readonly deadReceivers = new Map<string, string>();
  /** While set, the receiver refuses to rename, or to remove. */
  refusal: RemoteError | undefined;
  clearingRefusal: RemoteError | undefined;
  /** While set, the receiver clears files away as soon as they are written. */
  clearsAway = false;
  readonly sftp: Sftp = {
    session: async ({ groupId }, work) => {
      const reason = this.deadReceivers.get(groupId);
      if (reason !== undefined) return { type: "failed", reason };
      const session: SftpSession = {
        write: async (path, content) => {
          const bytes = await gathered(content);
          await this.write(() => void this.remote.set(path, bytes.subarray(0, bytes.length / 2)));
          await this.write(() => void this.remote.set(path, bytes));
        },
        sizeOf: async (path) => this.remote.get(path)?.byteLength,
        rename: (from, to) =>
          this.write(() => {
            const content = this.remote.get(from);
            if (this.refusal !== undefined) return this.refusal;
            if (content === undefined || this.clearsAway) {
              this.remote.delete(from);
              return new RemoteError(`renaming ${from}: no such file`);
            }
            this.received.push([to, content]);
            this.remote.delete(from);
            return undefined;
          }),
        remove: (path) =>
          this.write(() => {
            if (this.clearingRefusal === undefined) this.remote.delete(path);
            return this.clearingRefusal;
          }),
      };
      try {
        await work(session);
        return { type: "done" };
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        return { type: "failed", reason: error.message };
      }
    },
  };

  readonly rules: ValidationRuleStore = {
    rules: async () => [...this.validationRules.values()],
    page: async ({ source, limit, after = "" }) =>
      [...this.validationRules]
        .filter(([key, rule]) => key > after && (source === undefined || rule.source === source))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, rule]) => rule)
        .slice(0, limit),
    put: (rule) => this.write(() => void this.validationRules.set(ruleKey(rule), rule)),
    remove: (subject) => this.write(() => this.validationRules.delete(ruleKey(subject))),
  };

  readonly delinquents: DelinquentStore = {
    keep: (record) =>
      this.write(() => {
        const known = this.delinquentByKey.get(delinquentKey(record));
        if (known !== undefined && (known.released !== undefined || known.refusedAt > record.refusedAt))
          return;
        this.delinquentByKey.set(delinquentKey(record), record);
      }),
    renew: (record) =>
      this.write(() => {
        const known = this.delinquentByKey.get(delinquentKey(record));
        const isSame = known?.refusedAt === record.refusedAt && known.released === undefined;
        if (isSame) this.delinquentByKey.set(delinquentKey(record), record);
        return isSame;
      }),
    listed: async (deliveryMode, documents) =>
      new Set(
        documents
          .filter((document) => this.delinquentByKey.has(delinquentKey({ deliveryMode, document })))
          .map(({ recordId }) => recordId),
      ),
    releasedPagesOf: async function* (this: MemoryPorts, mode: RunMode) {
      for (const record of this.delinquentByKey.values())
        if (record.deliveryMode === mode && record.released !== undefined) yield [record];
    }.bind(this),
    ofSource: async (mode, sourceId, { limit, after = "" }) =>
      [...this.delinquentByKey.values()]
        .filter((record) => record.deliveryMode === mode && record.document.sourceId === sourceId)
        .filter(({ document }) => document.recordId > after)
        .sort((a, b) => (a.document.recordId < b.document.recordId ? -1 : 1))
        .slice(0, limit),
    get: async (mode, sourceId, recordId) => this.delinquentByKey.get(`${mode} ${sourceId} ${recordId}`),
    findings: async (record) => this.delinquentByKey.get(delinquentKey(record))?.findings ?? [],
    release: (record, released) =>
      this.write(() => {
        const known = this.delinquentByKey.get(delinquentKey(record));
        if (known !== undefined) this.delinquentByKey.set(delinquentKey(record), { released, ...known });
        return known !== undefined;
      }),
    remove: (record, { upTo, evenReleased }) =>
      this.write(() => {
        const known = this.delinquentByKey.get(delinquentKey(record));
        if (known === undefined || known.refusedAt > upTo) return;
        if (evenReleased || known.released === undefined) this.delinquentByKey.delete(delinquentKey(record));
      }),
  };

  readonly mailer = { send: (mail: Mail) => this.write(() => void this.mails.push(mail)) };
  readonly events = { publish: (event: DomainEvent) => this.write(() => void this.published.push(event)) };

  /** What became of the documents of a run. */
  documents(runId: string): DocumentOutcome[] {
    return under(this.documentOutcomes, runId);
  }

  addGroup(groupId: string, more: Partial<NewGroup> = {}): void {
    const value = { groupId, isil: "XX-1", userAgent: "test", outputFolder: groupId.toLowerCase() };
    this.groups.set(groupId, group.parse({ ...value, ...more }));
  }
}

async function gathered(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

function delinquentKey({
  deliveryMode,
  document,
}: Pick<DelinquentRecord, "deliveryMode" | "document">): string {
  return `${deliveryMode} ${document.sourceId} ${document.recordId}`;
}

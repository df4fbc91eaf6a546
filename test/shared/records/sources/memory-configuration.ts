import type { LeaseStore } from "../../../../shared/core/lease.ts";
import type { ConfigurationChange } from "../../../../shared/records/sources/conf/configuration-changes.ts";
import type {
  ConfigurationHistory,
  ConfigurationStore,
  ConfigurationVersion,
  SourceDeletion,
} from "../../../../shared/records/sources/conf/configuration-store.ts";
import type { ConfigurationItem } from "../../../../shared/records/sources/configuration.ts";
import { memoryLeases } from "../../memory/leases.ts";

/** The store in memory, with JSON between it and the caller, as with the real one. */
export class MemoryConfiguration implements ConfigurationStore {
  readonly stored = new Map<string, string>();
  readonly versions: ConfigurationVersion[] = [];
  readonly history = new Map<string, ConfigurationChange>();
  private readonly leasesByKey = memoryLeases();
  /** Changes carried out until the process dies; none when absent. */
  diesAfter: number | undefined;
  /** What others do before each change is carried out. */
  meanwhile: (() => Promise<unknown>) | undefined;

  readonly deletionsBySource = new Map<string, SourceDeletion>();
  readonly deletions: ConfigurationStore["deletions"] = {
    begin: async (deletion, over) => {
      if (!this.hasDeletion(deletion.sourceId, over)) return false;
      this.deletionsBySource.set(deletion.sourceId, deletion);
      return true;
    },
    get: async (sourceId) => this.deletionsBySource.get(sourceId),
    end: async (deletion) => {
      if (this.hasDeletion(deletion.sourceId, deletion)) this.deletionsBySource.delete(deletion.sourceId);
    },
  };

  /** The sources whose quality figures were deleted. */
  readonly forgotten: string[] = [];
  readonly quality = { forget: async (sourceId: string) => void this.forgotten.push(sourceId) };

  private hasDeletion(sourceId: string, expected: SourceDeletion | undefined): boolean {
    const stored = this.deletionsBySource.get(sourceId);
    return stored?.deletedAt === expected?.deletedAt && stored?.documents === expected?.documents;
  }

  /** The item as it is stored, if it is the one that was read. */
  private async unchanged(before: ConfigurationItem): Promise<ConfigurationItem | undefined> {
    const now = await this.item(before);
    return now?.revision === before.revision && now?.createdAt === before.createdAt ? now : undefined;
  }

  async items(): Promise<ConfigurationItem[]> {
    return [...this.stored.values()].map((json) => JSON.parse(json));
  }

  async item({ kind, id }: Pick<ConfigurationItem, "kind" | "id">): Promise<ConfigurationItem | undefined> {
    const json = this.stored.get(`${kind} ${id}`);
    return json === undefined ? undefined : JSON.parse(json);
  }

  async page(
    kind: ConfigurationItem["kind"],
    { limit, after = "" }: { limit: number; after?: string | undefined },
  ) {
    const found = (await this.items()).filter((item) => item.kind === kind && item.id > after);
    return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async add(item: ConfigurationItem): Promise<boolean> {
    if ((await this.item(item)) !== undefined) return false;
    await this.put({ ...item, revision: 1 });
    return true;
  }

  async remove(before: ConfigurationItem): Promise<boolean> {
    await this.meanwhile?.();
    if ((await this.unchanged(before)) === undefined) return false;
    return this.stored.delete(`${before.kind} ${before.id}`);
  }

  async replace(item: ConfigurationItem, before: ConfigurationItem): Promise<boolean> {
    await this.meanwhile?.();
    if ((await this.unchanged(before)) === undefined) return false;
    await this.put({ ...item, revision: (before.revision ?? 0) + 1 });
    return true;
  }

  async noteAnnounced(before: ConfigurationItem): Promise<boolean> {
    const item = await this.unchanged(before);
    if (item === undefined) return false;
    const { isUnannounced: _published, ...announced } = item;
    await this.put(announced);
    return true;
  }

  async setFields(
    of: Pick<ConfigurationItem, "kind" | "id">,
    fields: Record<string, unknown>,
    before?: ConfigurationItem,
  ): Promise<boolean> {
    if (before !== undefined) await this.meanwhile?.();
    const item = await this.item(of);
    if (item === undefined || (before !== undefined && item.revision !== before.revision)) return false;
    await this.put({ ...item, value: { ...item.value, ...fields }, revision: (item.revision ?? 0) + 1 });
    return true;
  }

  async put(item: ConfigurationItem): Promise<void> {
    this.stored.set(`${item.kind} ${item.id}`, JSON.stringify(item));
  }

  async latestVersion(): Promise<number> {
    return this.versions.at(-1)?.version ?? 0;
  }

  async claimVersion(version: ConfigurationVersion): Promise<boolean> {
    if (this.versions.some((one) => one.version === version.version)) return false;
    this.versions.push(version);
    return true;
  }

  readonly changes: ConfigurationHistory = {
    versions: async ({ limit, after }) =>
      this.versions
        .filter(({ version }) => after === undefined || version < after)
        .toReversed()
        .slice(0, limit),
    changesOf: async (wanted) =>
      [...this.history]
        .filter(([name]) => name.startsWith(`${wanted} `))
        .map(([, change]) => {
          const { kind, id } = change.item;
          const before = change.type === "changed" ? change.before : change.item;
          return { type: change.type, kind, id, ...(change.type !== "added" && { before }) };
        }),
  };

  /** A dead process releases no lease. */
  readonly leases: LeaseStore = {
    ...this.leasesByKey,
    release: async (lease) => {
      if (this.diesAfter !== 0) await this.leasesByKey.release(lease);
    },
  };

  async apply(change: ConfigurationChange, version: number): Promise<boolean> {
    await this.meanwhile?.();
    if (this.diesAfter === 0) throw new Error("killed");
    if (this.diesAfter !== undefined) this.diesAfter -= 1;
    const name = `${change.item.kind} ${change.item.id}`;
    this.history.set(`${version} ${name}`, change);
    const read =
      change.type === "added"
        ? undefined
        : (change.type === "changed" ? change.before : change.item).revision;
    const now = await this.item(change.item);
    if (change.type === "removed") return now?.revision === read && this.stored.delete(name);
    if ((now === undefined) !== (change.type === "added") || now?.revision !== read) return false;
    this.stored.set(name, JSON.stringify({ ...change.item, version, revision: (read ?? 0) + 1 }));
    return true;
  }
}

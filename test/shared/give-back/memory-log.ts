import type {
  ChangeLog,
  ItemVersion,
  KeyRange,
  ListEntry,
  LogState,
  PlannedChanges,
} from "../../../shared/give-back/log/change-log.ts";

/** The change log in memory. `reads` counts the calls of readers. */
export class MemoryLog implements ChangeLog {
  reads = 0;
  /** The number of calls of `expire`. */
  expirations = 0;
  private stored: LogState | undefined;
  private lastPlan: PlannedChanges | undefined;
  private readonly lists = new Map<string, Map<string, ListEntry>>();
  private readonly items = new Map<string, Map<string, ItemVersion>>();
  private readonly hidden = new Map<string, boolean>();
  private readonly setNames = new Set<string>();
  /** Called before each write, and may throw, as a process that is killed. */
  beforeWrite: () => void = () => undefined;

  async state() {
    this.reads += 1;
    return structuredClone(this.stored);
  }

  async saveState(state: LogState) {
    this.beforeWrite();
    if ((this.stored?.revision ?? 0) + 1 !== state.revision) return false;
    this.stored = structuredClone(state);
    return true;
  }

  async hiddenCollections() {
    return new Map(this.hidden);
  }

  async setHidden(collectionId: string, isLogged: boolean | undefined) {
    this.beforeWrite();
    if (isLogged === undefined) this.hidden.delete(collectionId);
    else this.hidden.set(collectionId, isLogged);
  }

  async planned() {
    return structuredClone(this.lastPlan);
  }

  async plan(changes: PlannedChanges, seen: string | undefined) {
    this.beforeWrite();
    if (this.lastPlan !== undefined && this.lastPlan.lastKey > (seen ?? "")) return false;
    this.lastPlan = structuredClone(changes);
    return true;
  }

  async write({ versions, replaced, newSets }: PlannedChanges) {
    for (const version of structuredClone(versions)) {
      this.beforeWrite();
      const own = this.items.get(version.itemId) ?? new Map();
      this.items.set(version.itemId, own.set(version.key, version));
      for (const [list, place] of Object.entries(version.places)) {
        if (place.key !== version.key) continue;
        this.beforeWrite();
        const entries = this.lists.get(list) ?? new Map<string, ListEntry>();
        this.lists.set(list, entries);
        if (!entries.has(place.key)) entries.set(place.key, { itemId: version.itemId, ...place });
      }
    }
    for (const set of newSets) this.setNames.add(set);
    for (const { key, next, lists } of replaced) {
      this.beforeWrite();
      for (const list of lists) {
        const entry = this.lists.get(list)?.get(key);
        if (entry !== undefined) entry.next = next;
      }
    }
  }

  /** Deletes what has been replaced, as DynamoDB does after a day. */
  expire(): void {
    this.expirations += 1;
    for (const entries of this.lists.values()) {
      for (const [key, { next }] of entries) if (next !== undefined) entries.delete(key);
    }
    for (const versions of this.items.values()) {
      for (const key of [...versions.keys()].sort().slice(0, -1)) versions.delete(key);
    }
  }

  async latest(itemIds: readonly string[], until: string) {
    this.reads += 1;
    return itemIds.flatMap((itemId) => {
      const versions = [...(this.items.get(itemId)?.values() ?? [])];
      const version = versions.findLast(({ key }) => key <= until);
      return version === undefined ? [] : [structuredClone(version)];
    });
  }

  async versions(keys: readonly { itemId: string; key: string }[]) {
    this.reads += 1;
    return keys.flatMap(({ itemId, key }) => {
      const version = this.items.get(itemId)?.get(key);
      return version === undefined ? [] : [structuredClone(version)];
    });
  }

  async entries(list: string, range: KeyRange, limit: number) {
    this.reads += 1;
    const found = this.within(list, range);
    return { entries: structuredClone(found.slice(0, limit)), isEnd: found.length < limit };
  }

  async lastEntry(list: string, until: string) {
    this.reads += 1;
    return structuredClone(this.within(list, { from: "", until }).at(-1));
  }

  async count(list: string, range: KeyRange, isCounted: (entry: ListEntry) => boolean) {
    this.reads += 1;
    return this.within(list, range).filter(isCounted).length;
  }

  async sets({ after, limit }: { after: string; limit: number }) {
    this.reads += 1;
    return [...this.setNames]
      .toSorted()
      .filter((set) => set > after)
      .slice(0, limit);
  }

  private within(list: string, { from, until }: KeyRange): ListEntry[] {
    // Keys only grow, so the entries are in order.
    const entries = [...(this.lists.get(list)?.values() ?? [])];
    return entries.filter(({ key }) => key >= from && key <= until);
  }
}

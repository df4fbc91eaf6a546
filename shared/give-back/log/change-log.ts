import type { ItemState, StoredItem } from "./item-state.ts";

/** The place of an item in a list: in the list of all items, or in that of a set. */
export interface ListPlace {
  /** The key of the item's last change in the list. */
  key: string;
  /** The number of items in the list, up to this change. Items that have left the list are counted. */
  size: number;
  /** Set when the item is no longer in the set. Harvesters of the set see it as deleted. */
  hasLeft?: true;
}

/** A version of an item in the log. */
export interface ItemVersion extends ItemState {
  /** The key of the change. */
  key: string;
  /** The item's places, by list. */
  places: Record<string, ListPlace>;
}

/** An entry of a list. */
export interface ListEntry extends ListPlace {
  itemId: string;
  /** The key of the item's next change in the list. Lists that began before that change still contain this entry. */
  next?: string;
}

/** What is known of the log as a whole. */
export interface LogState {
  /** The key of the last change that readers see; absent before the first change. */
  key?: string;
  /** Later changes have this datestamp or a later one. In seconds. */
  asOf: string;
  /** When the log began, in seconds. */
  startedAt: string;
  /** The key that signs resumption tokens. */
  tokenKey: string;
  /** A collection whose records are being logged again, because searches show or hide it. */
  walk?: { collectionId: string; isHidden: boolean; after: string; until: string };
  /** The number of writes. A write that is based on an older state is refused. */
  revision: number;
}

/** Changes that are about to be written. They are written again if their writer was killed. */
export interface PlannedChanges {
  versions: ItemVersion[];
  /** The entries and versions that these replace. */
  replaced: { itemId: string; key: string; next: string; lists: string[] }[];
  /** The sets that get their first item. */
  newSets: string[];
  /** The key of the last one. */
  lastKey: string;
}

/** A range of keys. Both limits are inclusive. */
export interface KeyRange {
  from: string;
  until: string;
}

/** The part of the log that readers use. All reads return what was written before. */
export interface ChangeLogReader {
  state(): Promise<LogState | undefined>;
  /** Reads the latest versions of these items with a key up to `until`, in any order. */
  latest(itemIds: readonly string[], until: string): Promise<ItemVersion[]>;
  /** Reads versions, in any order. Replaced versions are deleted after some time. */
  versions(keys: readonly { itemId: string; key: string }[]): Promise<ItemVersion[]>;
  /** Reads entries of a list in the order of their keys. @returns whether the list has ended */
  entries(list: string, range: KeyRange, limit: number): Promise<{ entries: ListEntry[]; isEnd: boolean }>;
  /** Reads the last entry of a list up to a key. */
  lastEntry(list: string, until: string): Promise<ListEntry | undefined>;
  /** Counts the entries for which `isCounted` holds. @returns undefined when a count would take too many reads */
  count(
    list: string,
    range: KeyRange,
    isCounted: (entry: Pick<ListEntry, "next">) => boolean,
  ): Promise<number | undefined>;
  /** Lists the sets that have ever had an item, sorted, but for the set for searches. */
  sets(page: { after: string; limit: number }): Promise<string[]>;
}

/**
 * The log of the changes of all items. Only one writer works at a time. It plans changes, writes them, and then lets
 * readers see them, so that readers see keys in their order. With keys of many writers, or an index by time, a change
 * could become visible behind a reader, which would miss it.
 */
export interface ChangeLog extends ChangeLogReader {
  /** Writes the state if the stored state has the previous revision. @returns whether it was written */
  saveState(state: LogState): Promise<boolean>;
  /** The changes that were planned last. */
  planned(): Promise<PlannedChanges | undefined>;
  /** Stores a plan if readers see all changes of the last one. @param seen the last key that they see */
  plan(changes: PlannedChanges, seen: string | undefined): Promise<boolean>;
  /** Writes planned changes. Repeatable. */
  write(changes: PlannedChanges): Promise<void>;
  /**
   * Returns the collections that searches do not show, or showed or hid until recently, each with whether all of its
   * records are logged as hidden.
   */
  hiddenCollections(): Promise<Map<string, boolean>>;
  /** @param isLogged undefined for a collection whose records are all logged as shown */
  setHidden(collectionId: string, isLogged: boolean | undefined): Promise<void>;
}

/** A mark on a record or document whose change is not in the log yet. */
export interface ChangeMark {
  itemId: string;
  /** The mark's value, which no other change has. */
  mark: string;
  /** Set for the mark of a document. */
  sourceId?: string;
}

/** The records and documents that the log describes. */
export interface LoggedItems {
  /** Lists some of the marked records and documents. The list may be a second out of date. */
  marks(): Promise<ChangeMark[]>;
  /** Removes marks, unless the record or document has changed again. */
  clear(marks: readonly ChangeMark[]): Promise<void>;
  /** Reads records with their documents as last written, by id. @param items each with its source, if it is known */
  read(items: readonly { itemId: string; sourceId?: string }[]): Promise<Map<string, StoredItem>>;
  /** Returns the collections that searches do not show. */
  hiddenCollections(): Promise<string[]>;
}

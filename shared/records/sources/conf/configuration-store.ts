import type { ConfigurationItem, ConfigurationKind } from "../configuration.ts";
import type { ConfigurationChange } from "./configuration-changes.ts";

type ItemKey = Pick<ConfigurationItem, "kind" | "id">;

/** The store of the configuration. Imports and operators write it; the functions of a run read it. */
export interface ConfigurationStore {
  items(): Promise<ConfigurationItem[]>;
  item(key: ItemKey): Promise<ConfigurationItem | undefined>;
  /**
   * Reads a page of the items of a kind, sorted by id.
   * @param of.after the id after which the page begins
   */
  page(
    kind: ConfigurationKind,
    of: { limit: number; after?: string | undefined },
  ): Promise<ConfigurationItem[]>;
  /**
   * Stores a new item.
   * @returns `false` when an item with its id exists
   */
  add(item: ConfigurationItem): Promise<boolean>;
  /**
   * Deletes an item if it has not changed since it was read.
   * @returns whether it was deleted
   */
  remove(before: ConfigurationItem): Promise<boolean>;
  /**
   * Writes an item if it has not changed since it was read.
   * @returns whether it was written
   */
  replace(item: ConfigurationItem, before: ConfigurationItem): Promise<boolean>;
  /** Writes a whole item over any stored item, without adding a version. */
  put(item: ConfigurationItem): Promise<void>;
  /**
   * Writes these fields of an item's value.
   * @param before the item as it was read; if absent, any stored version is changed
   * @returns `false` when the item does not exist, or has changed since it was read
   */
  setFields(key: ItemKey, fields: Record<string, unknown>, before?: ConfigurationItem): Promise<boolean>;
  /** Stores that `source.new` is published, unless the item has changed since it was read. The revision stays. */
  noteAnnounced(before: ConfigurationItem): Promise<boolean>;
  /** The deletions of sources through the API whose steps after the removal are not done, one per source. */
  deletions: {
    /**
     * Stores a deletion.
     * @param over the deletion that was read, which this one replaces
     * @returns `false` when another request has stored or ended one since
     */
    begin(deletion: SourceDeletion, over: SourceDeletion | undefined): Promise<boolean>;
    get(sourceId: string): Promise<SourceDeletion | undefined>;
    /** Removes a deletion, unless another one has replaced it. */
    end(deletion: SourceDeletion): Promise<void>;
  };
  /** Returns the number of the latest version; 0 before the first import. */
  latestVersion(): Promise<number>;
  /**
   * Claims the number of a version.
   * @returns `false` when another import has claimed it
   */
  claimVersion(version: ConfigurationVersion): Promise<boolean>;
  /**
   * Stores a change, with the item's earlier state, under the version, and then applies the change.
   * @returns `false`, without any change, when the item has been written since the change was computed
   */
  apply(change: ConfigurationChange, version: number): Promise<boolean>;
}

/**
 * The deletion of a source. It is stored before the source is removed, and ends after the event and the other steps, so that a
 * repeated request does what an interrupted one left. While the source exists, it has no effect.
 */
export interface SourceDeletion {
  sourceId: string;
  documents: "keep" | "delete";
  /** The `createdAt` of the source. */
  createdAt?: string | undefined;
  /** ISO 8601, UTC. */
  deletedAt: string;
}

/** An import that changed something, with the numbers of changed items. */
export interface ConfigurationVersion {
  version: number;
  /** ISO 8601, UTC. */
  importedAt: string;
  added: number;
  changed: number;
  removed: number;
  /** Set for an import with many changes: the job that applied it, which lists the items that failed. */
  importId?: string;
}

/** A change that an import has made to one item. */
export interface RecordedChange extends ItemKey {
  type: ConfigurationChange["type"];
  /** The item before the import; absent when the import added it. */
  before?: ConfigurationItem;
}

/** Provides the changes made by past imports. */
export interface ConfigurationHistory {
  /** Lists the versions, latest first. If `after` is given, lists only the versions before it. */
  versions(page: { limit: number; after?: number | undefined }): Promise<ConfigurationVersion[]>;
  changesOf(version: number): Promise<RecordedChange[]>;
}

import type { ConfigurationItem, ConfigurationKind } from "../configuration.ts";
import type { ConfigurationChange } from "./configuration-changes.ts";

type ItemKey = Pick<ConfigurationItem, "kind" | "id">;

/** Where the configuration is kept. Imports and operators write it; the functions of a run read it. */
export interface ConfigurationStore {
  items(): Promise<ConfigurationItem[]>;
  item(key: ItemKey): Promise<ConfigurationItem | undefined>;
  /** The items of a kind in the order of their ids. @param of.after the id after which the page begins */
  page(
    kind: ConfigurationKind,
    of: { limit: number; after?: string | undefined },
  ): Promise<ConfigurationItem[]>;
  /** Stores a new item; `false` when there is one with its id. */
  add(item: ConfigurationItem): Promise<boolean>;
  /** Deletes an item if it is still as it was read; `false` otherwise. */
  remove(before: ConfigurationItem): Promise<boolean>;
  /** Writes an item if it is still as it was read; `false` otherwise. */
  replace(item: ConfigurationItem, before: ConfigurationItem): Promise<boolean>;
  /** Writes a whole item over any stored one, outside the versions. */
  put(item: ConfigurationItem): Promise<void>;
  /**
   * Writes these fields of an item's value; `false` when there is no such item, or it is not as it was read.
   * @param before the item as it was read; absent: whatever it is
   */
  setFields(key: ItemKey, fields: Record<string, unknown>, before?: ConfigurationItem): Promise<boolean>;
  /** 0 before the first import. */
  latestVersion(): Promise<number>;
  /** Takes the number of a version; `false` when another import has taken it. */
  claimVersion(version: ConfigurationVersion): Promise<boolean>;
  /**
   * Stores the change with the item as it was before under the version, then applies it. `false` when the item has been
   * written since the change was computed: the item is unchanged then.
   */
  apply(change: ConfigurationChange, version: number): Promise<boolean>;
}

/** One import that changed something, and how many items. */
export interface ConfigurationVersion {
  version: number;
  /** ISO 8601, UTC. */
  importedAt: string;
  added: number;
  changed: number;
  removed: number;
  /** The job that applied it, of an import with many changes: it says what failed. */
  importId?: string;
}

/** What an import did to one item. */
export interface RecordedChange extends ItemKey {
  type: ConfigurationChange["type"];
  /** The item as it was; absent when the import has added it. */
  before?: ConfigurationItem;
}

/** What imports have done. */
export interface ConfigurationHistory {
  /** The versions, latest first, before the version `after` if that is given. */
  versions(page: { limit: number; after?: number | undefined }): Promise<ConfigurationVersion[]>;
  changesOf(version: number): Promise<RecordedChange[]>;
}

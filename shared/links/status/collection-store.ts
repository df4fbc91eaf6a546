import type { Collection, Hold, StoredCollection, UnusableCollection } from "./collection.ts";
import type { LinkStatus, LinkStatusValue, StatusChange } from "./link-status.ts";

/** Stores collections and their link statuses. */
export interface CollectionStore {
  get(collectionId: string): Promise<StoredCollection | undefined>;
  /** Reads all collections. Invalid collections are returned separately, so that they do not block the others. */
  all(): Promise<{ collections: Collection[]; unusable: UnusableCollection[] }>;
  /** Reads a page of the stored collections, sorted by id. */
  page(of: { limit: number; after?: string | undefined }): Promise<StoredCollection[]>;
  /** Reads the existing ones among these collections, in any order. */
  many(collectionIds: readonly string[]): Promise<StoredCollection[]>;
  /** Reads the status that searches use, even of an invalid collection. */
  status(collectionId: string): Promise<LinkStatusValue>;
  /**
   * Creates or changes a collection without changing its `hold`.
   * @param before the collection as it was read; if absent, any stored version is replaced
   * @returns the new revision; undefined when the stored collection has changed since it was read
   * @throws ThrottledError when concurrent writes keep changing the collection
   */
  save(collection: Omit<Collection, "hold">, before?: StoredCollection): Promise<number | undefined>;
  /**
   * Holds a collection, or releases it (`undefined`). Stores the change as pending until `clearPendingNotifications`.
   * Does nothing when the collection is unknown, or is already held or released.
   * @returns all pending changes, oldest first
   */
  setHold(
    collectionId: string,
    held: Hold | undefined,
    change: StatusChange | undefined,
  ): Promise<StatusChange[]>;
  /**
   * Removes a collection with its link status. Idempotent.
   * @param before the collection as it was read; if absent, any stored version is removed
   * @returns `false` when the stored collection has changed since it was read
   */
  remove(collectionId: string, before?: StoredCollection): Promise<boolean>;
  /** Removes the changes that `setHold` returned, unless further changes have been added meanwhile. */
  clearPendingNotifications(collectionId: string, sent: StatusChange[]): Promise<void>;
  linkStatus(collectionId: string): Promise<LinkStatus | undefined>;
  /** Reads all link statuses, by collection id. A collection whose checks never failed has no link status. */
  linkStatuses(): Promise<Map<string, LinkStatus>>;
  /** Reads the link statuses of these collections. */
  linkStatusesOf(collectionIds: readonly string[]): Promise<Map<string, LinkStatus>>;
  /**
   * Writes a link status if the stored one is still `was`.
   * @returns whether the status was written
   */
  replaceLinkStatus(
    collectionId: string,
    linkStatus: LinkStatus,
    was: LinkStatus | undefined,
  ): Promise<boolean>;
}

import type { Collection, Hold, StoredCollection, UnusableCollection } from "./collection.ts";
import type { LinkStatus, LinkStatusValue, StatusChange } from "./link-status.ts";

/** Stores collections and their link statuses. */
export interface CollectionStore {
  get(collectionId: string): Promise<StoredCollection | undefined>;
  /** All collections, invalid ones apart: one invalid item must not stop the others. */
  all(): Promise<{ collections: Collection[]; unusable: UnusableCollection[] }>;
  /** A page of the stored collections, by id. */
  page(of: { limit: number; after?: string | undefined }): Promise<StoredCollection[]>;
  /** The existing ones among these collections, in any order. */
  many(collectionIds: readonly string[]): Promise<StoredCollection[]>;
  /** The status that searches use; also for an invalid collection. */
  status(collectionId: string): Promise<LinkStatusValue>;
  /**
   * Creates or changes a collection; its `hold` is unchanged.
   * @param before the collection as it was read; absent: whatever it is
   * @returns its new revision; undefined when it is not as it was read
   * @throws ThrottledError when others keep changing it
   */
  save(collection: Omit<Collection, "hold">, before?: StoredCollection): Promise<number | undefined>;
  /**
   * Holds a collection, or releases it (`undefined`), and stores the change until `clearPendingNotifications`. Does
   * nothing when the collection is unknown, or held or released already.
   * @returns all pending changes, oldest first
   */
  setHold(
    collectionId: string,
    held: Hold | undefined,
    change: StatusChange | undefined,
  ): Promise<StatusChange[]>;
  /**
   * Removes a collection with its link status. Idempotent.
   * @param before the collection as it was read; absent: whatever it is
   * @returns `false` when it is not as it was read
   */
  remove(collectionId: string, before?: StoredCollection): Promise<boolean>;
  /** Removes the changes that `setHold` returned, unless there are more by now. */
  clearPendingNotifications(collectionId: string, sent: StatusChange[]): Promise<void>;
  linkStatus(collectionId: string): Promise<LinkStatus | undefined>;
  /** By collection id; a collection whose checks never failed has none. */
  linkStatuses(): Promise<Map<string, LinkStatus>>;
  /** Those of these collections. */
  linkStatusesOf(collectionIds: readonly string[]): Promise<Map<string, LinkStatus>>;
  /** Writes a link status if the stored one is still `was`; `false` otherwise. */
  replaceLinkStatus(
    collectionId: string,
    linkStatus: LinkStatus,
    was: LinkStatus | undefined,
  ): Promise<boolean>;
}

import type { Collection, StoredCollection, UnusableCollection } from "./collection.ts";
import type { LinkStatus, LinkStatusValue, StatusChange } from "./link-status.ts";

/** Collections, and where they stand. */
export interface CollectionStore {
  get(collectionId: string): Promise<StoredCollection | undefined>;
  /** All collections, the unusable apart: one bad item must not stop the others. */
  all(): Promise<{ collections: Collection[]; unusable: UnusableCollection[] }>;
  /** What searches go by; also of one that is not valid. */
  status(collectionId: string): Promise<LinkStatusValue>;
  /** Creates or changes a collection; its `hold` stays as it is. */
  save(collection: Omit<Collection, "hold">): Promise<void>;
  /**
   * Holds a collection or ends that, and keeps the change, if there is one, until it is told; nothing happens to one that
   * is held, or not, already, or that there is none of.
   * @returns the changes that are still to be told, oldest first
   */
  setHold(collectionId: string, hold: boolean, change: StatusChange | undefined): Promise<StatusChange[]>;
  /** Removes what operators say of a collection, and where it stands. May be done twice. */
  remove(collectionId: string): Promise<void>;
  /** Forgets changes that `setHold` has given, unless there are others by now. */
  clearPendingNotifications(collectionId: string, told: StatusChange[]): Promise<void>;
  linkStatus(collectionId: string): Promise<LinkStatus | undefined>;
  /** By collection; those that no check has found wanting have none. */
  linkStatuses(): Promise<Map<string, LinkStatus>>;
  /** Writes a link status if it is still the one that was read; `false` otherwise. */
  replaceLinkStatus(
    collectionId: string,
    linkStatus: LinkStatus,
    was: LinkStatus | undefined,
  ): Promise<boolean>;
}

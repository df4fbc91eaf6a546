import type { LinkStatus } from "./link-status.ts";
import type { RecordCursor } from "./record-cursor.ts";
import type { RecordLink } from "./record-link.ts";

/** The records as link checking sees them. Lists lag behind a little. */
export interface LinkRecords {
  get(recordId: string): Promise<RecordLink | undefined>;
  /** By syndication date; deleted records are left out. */
  oldest(collectionId: string, count: number): Promise<RecordLink[]>;
  newest(collectionId: string, count: number): Promise<RecordLink[]>;
  /** By id, that is, at random; all of them. */
  listInIdOrder(
    collectionId: string,
    from: { after?: string | undefined; limit: number },
  ): Promise<Pick<RecordLink, "recordId" | "landingUrl" | "link">[]>;
  /** Those whose attempt was due before a time (ISO 8601), of all collections, the longest overdue first, a page at a time. */
  overduePages(
    before: string,
  ): AsyncIterable<Pick<RecordLink, "recordId" | "collectionId" | "landingUrl" | "link">[]>;
  /**
   * The active records, newest first, those that follow a place; `next` is where the following part begins, absent at the
   * end. Where many are suppressed, a part may be short and yet not the last.
   */
  list(
    collectionId: string,
    from: { limit: number; after?: RecordCursor | undefined },
  ): Promise<{ items: RecordLink[]; next?: RecordCursor }>;
  /** Writes a record's link status if it is still the one that was read; `false` otherwise. */
  replaceLinkStatus(
    was: Pick<RecordLink, "recordId" | "collectionId" | "link">,
    linkStatus: LinkStatus,
  ): Promise<boolean>;
  /** Notes that a check is asked for, unless one was after `notSince`; `false` then. */
  claimCheck(recordId: string, claim: { askedAt: string; notSince: string }): Promise<boolean>;
  /** Forgets that a check was asked for at this time; nothing happens when another has been since. */
  releaseCheck(recordId: string, askedAt: string): Promise<void>;
}

import type { LinkStatus } from "./link-status.ts";
import type { RecordCursor } from "./record-cursor.ts";
import type { RecordLink } from "./record-link.ts";

/** The records as link checking sees them. Lists are eventually consistent. */
export interface LinkRecords {
  get(recordId: string): Promise<RecordLink | undefined>;
  /** By syndication date, without deleted records. */
  oldest(collectionId: string, count: number): Promise<RecordLink[]>;
  newest(collectionId: string, count: number): Promise<RecordLink[]>;
  /** All records by id, which is a random order. */
  listInIdOrder(
    collectionId: string,
    from: { after?: string | undefined; limit: number },
  ): Promise<Pick<RecordLink, "recordId" | "landingUrl" | "link">[]>;
  /** Records of all collections whose attempt was due before a time (ISO 8601), longest overdue first. */
  overduePages(
    before: string,
  ): AsyncIterable<Pick<RecordLink, "recordId" | "collectionId" | "landingUrl" | "link">[]>;
  /**
   * The active records after a cursor, newest first; `next` is absent at the end. Where many are suppressed, a page may be
   * short and not the last.
   */
  list(
    collectionId: string,
    from: { limit: number; after?: RecordCursor | undefined },
  ): Promise<{ items: RecordLink[]; next?: RecordCursor }>;
  /** Writes a link status if the stored one is still that of `was`; `false` otherwise. */
  replaceLinkStatus(
    was: Pick<RecordLink, "recordId" | "collectionId" | "link">,
    linkStatus: LinkStatus,
  ): Promise<boolean>;
  /** Stores that a check is requested; `false` when one was requested at or after `notSince`. */
  claimCheck(recordId: string, claim: { requestedAt: string; notSince: string }): Promise<boolean>;
  /** Removes the claim of this time; does nothing when there is a later one. */
  releaseCheck(recordId: string, requestedAt: string): Promise<void>;
}

import type { LinkStatus, LinkStatusValue } from "./link-status.ts";
import type { RecordCursor } from "./record-cursor.ts";
import type { RecordLink } from "./record-link.ts";

/** The statuses of records that searches leave out. */
export type HiddenState = Exclude<LinkStatusValue, "active">;

/** The position of a record in the list of its status. */
export interface StateCursor {
  /** The time that the list is in the order of. ISO 8601 in UTC. */
  at: string;
  recordId: string;
}

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
  /**
   * The suppressed records, by the time of their next attempt, or the deleted ones, those deleted last first; of all
   * collections or of one. A page of one may be short and not the last.
   */
  listByState(
    state: HiddenState,
    from: { collectionId?: string | undefined; limit: number; after?: StateCursor | undefined },
  ): Promise<{ items: RecordLink[]; next?: StateCursor }>;
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

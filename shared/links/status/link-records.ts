import type { RecordCursor } from "../../records/documents/record-cursor.ts";
import type { LinkStatus, LinkStatusValue } from "./link-status.ts";
import type { RecordLink } from "./record-link.ts";

/** The link statuses whose records searches do not show. */
export type HiddenState = Exclude<LinkStatusValue, "active">;

/** A position in the list of the records with one link status. */
export interface StateCursor {
  /** The time by which the list is sorted. ISO 8601 in UTC. */
  at: string;
  recordId: string;
}

/** Provides the records for link checking. Lists are eventually consistent. */
export interface LinkRecords {
  get(recordId: string): Promise<RecordLink | undefined>;
  /** Reads the oldest records by syndication date, without deleted records. */
  oldest(collectionId: string, count: number): Promise<RecordLink[]>;
  newest(collectionId: string, count: number): Promise<RecordLink[]>;
  /** Lists all records by id. The ids are in random order. */
  listInIdOrder(
    collectionId: string,
    from: { after?: string | undefined; limit: number },
  ): Promise<Pick<RecordLink, "recordId" | "landingUrl" | "link">[]>;
  /**
   * Yields the records of all collections whose attempt was due before a time (ISO 8601). Those longest overdue come
   * first.
   */
  overduePages(
    before: string,
  ): AsyncIterable<Pick<RecordLink, "recordId" | "collectionId" | "landingUrl" | "link">[]>;
  /**
   * Lists the active records after a cursor, newest first. `next` is absent at the end. When many records are
   * suppressed, a page may be short without being the last.
   */
  list(
    collectionId: string,
    from: { limit: number; after?: RecordCursor | undefined },
  ): Promise<{ items: RecordLink[]; next?: RecordCursor }>;
  /**
   * Lists the suppressed or the deleted records of one collection or of all. Suppressed records are sorted by the time
   * of their next attempt, deleted records by the time of their deletion, latest first. A page of one collection may be
   * short without being the last.
   */
  listByState(
    state: HiddenState,
    from: { collectionId?: string | undefined; limit: number; after?: StateCursor | undefined },
  ): Promise<{ items: RecordLink[]; next?: StateCursor }>;
  /**
   * Writes a link status if the stored one is still that of `was`.
   * @returns whether the status was written
   */
  replaceLinkStatus(
    was: Pick<RecordLink, "recordId" | "collectionId" | "link">,
    linkStatus: LinkStatus,
  ): Promise<boolean>;
  /**
   * Stores that a check is requested.
   * @returns `false` when a check was already requested at or after `notSince`
   */
  claimCheck(recordId: string, claim: { requestedAt: string; notSince: string }): Promise<boolean>;
  /** Removes the claim of this time. Does nothing when there is a later claim. */
  releaseCheck(recordId: string, requestedAt: string): Promise<void>;
}

import type { ConvertedDocument, RunMode } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";
import type { RefusalGroup } from "./refusal-reason.ts";
import type { OperatorNote, RefusedRecord } from "./refused-record.ts";

/**
 * The records that validation has refused, by delivery mode and source. A record is listed until a run harvests it
 * again.
 */
export interface RefusedStore {
  /**
   * Lists a record until its refusal expires. The record replaces that of an earlier run, but not that of a later run,
   * and not a released record.
   */
  save(record: RefusedRecord): Promise<void>;
  /**
   * Replaces the findings of a record.
   * @returns `false` when a run has listed the record again or removed it, or when the record is released
   */
  updateFindings(record: RefusedRecord): Promise<boolean>;
  /**
   * Returns the listed records among these articles: for each record id, the start of the first run that refused it
   * (ISO 8601 in UTC).
   */
  listedSince(mode: RunMode, documents: ConvertedDocument[]): Promise<ReadonlyMap<string, string>>;
  /** Yields the released records of a mode, page by page. A record of the last few seconds may be missing. */
  releasedPages(mode: RunMode): AsyncIterable<RefusedRecord[]>;
  /** Lists the records of a source, sorted by id, with their first findings. */
  listBySource(
    mode: RunMode,
    sourceId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<RefusedRecord[]>;
  /** Returns the unreleased records of a mode, grouped by reason. Records of the last few seconds may be missing. */
  reasons(mode: RunMode): Promise<RefusalGroup[]>;
  /**
   * Lists the unreleased records of a mode, sorted by reason, source and id. Records of the last few seconds may be
   * missing.
   * @param page.reason a reason, or the id of a rule; `after`: the queue key (`queueKeyOf`) of the last record of the
   * previous page
   * @returns a page that may be shorter than `limit`; `next` continues it
   */
  queue(
    mode: RunMode,
    page: { reason?: string | undefined; limit: number; after?: string | undefined },
  ): Promise<{ records: RefusedRecord[]; next?: string }>;
  /**
   * Replaces the note of a record.
   * @returns `false` when the record is no longer listed
   */
  note(record: Pick<RefusedRecord, "deliveryMode" | "document">, note: OperatorNote): Promise<boolean>;
  /** Reads a record with its first findings. */
  get(mode: RunMode, sourceId: string, recordId: string): Promise<RefusedRecord | undefined>;
  /** Reads all findings of a listed record. */
  findings(record: RefusedRecord): Promise<Finding[]>;
  /**
   * Releases a record for delivery. If it is released several times, the first release is kept.
   * @returns `false` when the record is no longer listed
   */
  release(record: RefusedRecord, released: NonNullable<RefusedRecord["released"]>): Promise<boolean>;
  /**
   * Removes a record, unless a run that started after `upTo` has listed it. A released record is removed only with
   * `includesReleased`.
   */
  remove(
    record: Pick<RefusedRecord, "deliveryMode" | "document">,
    only: { upTo: string; includesReleased: boolean },
  ): Promise<void>;
}

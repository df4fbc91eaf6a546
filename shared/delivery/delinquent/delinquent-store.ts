import type { ConvertedDocument, RunMode } from "../../runs/run.ts";
import type { Finding } from "../../validation/finding.ts";
import type { DelinquentRecord } from "./delinquent-record.ts";

/** The records that validation has refused, by delivery mode and source, until a run harvests them again. */
export interface DelinquentStore {
  /**
   * Lists a record for the time that a refusal counts. It replaces the record of an earlier run, but not that of a
   * later run or a released one.
   */
  save(record: DelinquentRecord): Promise<void>;
  /** Replaces the findings of a record; `false` when a run has listed it again or removed it, or it is released. */
  updateFindings(record: DelinquentRecord): Promise<boolean>;
  /** The listed records among these articles: by id, when a run first refused each (ISO 8601, UTC). */
  listedSince(mode: RunMode, documents: ConvertedDocument[]): Promise<ReadonlyMap<string, string>>;
  /** The released records of a mode, page by page; one of the last seconds may be missing. */
  releasedPages(mode: RunMode): AsyncIterable<DelinquentRecord[]>;
  /** The records of a source in the order of their ids, with their first findings. */
  listBySource(
    mode: RunMode,
    sourceId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<DelinquentRecord[]>;
  /** One record with its first findings. */
  get(mode: RunMode, sourceId: string, recordId: string): Promise<DelinquentRecord | undefined>;
  /** All findings of a listed record. */
  findings(record: DelinquentRecord): Promise<Finding[]>;
  /** Releases a record for delivery; the first release counts. `false` when the record is no longer listed. */
  release(record: DelinquentRecord, released: NonNullable<DelinquentRecord["released"]>): Promise<boolean>;
  /**
   * Removes a record, unless a run that started after `upTo` has listed it. A released record is removed only with
   * `includesReleased`.
   */
  remove(
    record: Pick<DelinquentRecord, "deliveryMode" | "document">,
    only: { upTo: string; includesReleased: boolean },
  ): Promise<void>;
}

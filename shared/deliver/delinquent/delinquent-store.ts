import type { ConvertedDocument, RunMode } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";
import type { DelinquentRecord, OperatorNote } from "./delinquent-record.ts";
import type { RefusalGroup } from "./refusal-reason.ts";

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
  /** The unreleased records of a mode, grouped by reason; those of the last seconds may be missing. */
  reasons(mode: RunMode): Promise<RefusalGroup[]>;
  /**
   * The unreleased records of a mode by reason, source and id; those of the last seconds may be missing.
   * @param page.reason a reason, or the id of a rule; `after`: the queue key (`queueKeyOf`) of the last one before
   * @returns a page that may be shorter than `limit`; `next` continues it
   */
  queue(
    mode: RunMode,
    page: { reason?: string | undefined; limit: number; after?: string | undefined },
  ): Promise<{ records: DelinquentRecord[]; next?: string }>;
  /** Replaces the note of a record; `false` when it is no longer listed. */
  note(record: Pick<DelinquentRecord, "deliveryMode" | "document">, note: OperatorNote): Promise<boolean>;
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

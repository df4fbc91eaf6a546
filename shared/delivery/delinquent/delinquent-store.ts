import type { ConvertedArticle, RunMode } from "../../runs/run.ts";
import type { Finding } from "../../validation/finding.ts";
import type { DelinquentRecord } from "./delinquent-record.ts";

/** The records that validation has refused, by delivery mode and source, until a run takes them up again. */
export interface DelinquentStore {
  /** Lists a record for as long as a refusal counts, in place of what an earlier run listed of it; not when a later one has, or when it is released. */
  save(record: DelinquentRecord): Promise<void>;
  /** Writes other findings of a record; `false` when a run has listed it anew or taken it off, or it is released. */
  updateFindings(record: DelinquentRecord): Promise<boolean>;
  /** The ids of those documents whose records are listed. */
  listedIds(mode: RunMode, documents: ConvertedArticle[]): Promise<Set<string>>;
  /** Those of a mode that are released, page by page; one of the last seconds may be missing. */
  releasedPages(mode: RunMode): AsyncIterable<DelinquentRecord[]>;
  /** Those of a source in the order of their ids, with the first of their findings. */
  listBySource(
    mode: RunMode,
    sourceId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<DelinquentRecord[]>;
  /** One record with the first of its findings. */
  get(mode: RunMode, sourceId: string, recordId: string): Promise<DelinquentRecord | undefined>;
  /** All findings of a listed record. */
  findings(record: DelinquentRecord): Promise<Finding[]>;
  /** Notes that the record may be delivered; the first time counts. `false` when it is not listed any more. */
  release(record: DelinquentRecord, released: NonNullable<DelinquentRecord["released"]>): Promise<boolean>;
  /**
   * Takes a record off the list, unless a run that started after `upTo` has listed it; one that is released only where it
   * says so.
   */
  remove(
    record: Pick<DelinquentRecord, "deliveryMode" | "article">,
    only: { upTo: string; includesReleased: boolean },
  ): Promise<void>;
}

import type { Parts } from "../../records/runs/parts.ts";
import type { ConvertedDocument } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";

/** An article that validation refused. */
export interface RefusedDocument extends ConvertedDocument {
  findings: Finding[];
  /** The start of the run that first refused the article, if that was an earlier run. */
  refusedSince?: string;
}

/** An article whose record could not be validated. A later run reads the article again. */
export interface UnprocessedDocument extends ConvertedDocument {
  reason: string;
}

/** The result of a run's validation. The first result is stored, so that all later stages process the same records. */
export interface ValidateResult {
  /** `ConvertedDocument`s, like the next two lists: the records to deliver. */
  valid: Parts;
  /** The valid records that earlier runs refused and operators released. */
  released: Parts;
  onlineFirst: Parts;
  /** `PossibleDuplicate`s: the records among `valid` that are possible duplicates of a delivered record. */
  alike?: Parts;
  /** `RefusedDocument`s. */
  delinquent: Parts;
  /** `UnprocessedDocument`s; absent when there are none. */
  unprocessed?: Parts;
  /**
   * `DuplicateDocument`s: refused articles that are the same as another refused record. Absent in a preview, which
   * lists them as delinquent.
   */
  duplicates?: Parts;
  /** The pages of long harvests that join the run, as `HarvestBatch`s. */
  joined: Parts;
  /** The long harvests whose last pages are in `joined`. */
  completedHarvests: string[];
  /**
   * The sources whose long harvests have more pages than the share of a source in one delivery; absent when there are
   * none.
   */
  continuedSources?: string[];
  /** The ids of the sources that are still being read for the next delivery, sorted; absent when there are none. */
  late?: string[];
  /**
   * The time that decides whether claims have expired. It is later than all queries of the archive by readers. ISO 8601
   * in UTC.
   */
  validatedAt: string;
}

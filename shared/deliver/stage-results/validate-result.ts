import type { Parts } from "../../records/runs/parts.ts";
import type { ConvertedDocument } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";

/** An article that validation refused. */
export interface DelinquentDocument extends ConvertedDocument {
  findings: Finding[];
  /** The start of the run that refused it first, if that was an earlier one. */
  refusedSince?: string;
}

/** An article whose record could not be validated. A later run reads it again. */
export interface UnprocessedDocument extends ConvertedDocument {
  reason: string;
}

/** The result of a run's validation. The first one is stored, so that every later stage works on the same records. */
export interface ValidateResult {
  /** `ConvertedDocument`s, as in the next two lists: the records to deliver. */
  valid: Parts;
  /** The valid ones that earlier runs have refused and operators released since. */
  released: Parts;
  onlineFirst: Parts;
  /** `PossibleDuplicate`s: those of `valid` that are possible duplicates of a delivered record. */
  alike?: Parts;
  /** `DelinquentDocument`s. */
  delinquent: Parts;
  /** `UnprocessedDocument`s; absent: none. */
  unprocessed?: Parts;
  /**
   * `DuplicateDocument`s: refused, and the same article as another refused record. Absent in a preview, which lists
   * them as delinquent.
   */
  duplicates?: Parts;
  /** The pages of long harvests that join the run, as `HarvestBatch`s. */
  joined: Parts;
  /** The long harvests whose last pages are among them. */
  completedHarvests: string[];
  /** The sources whose long harvests have more pages than the share of a source in one delivery; absent: none. */
  continuedSources?: string[];
  /** The ids of the sources that are read on for the next delivery, sorted; absent: none. */
  late?: string[];
  /** ISO 8601, UTC. Later than all queries of the archive by readers: the time by which claims have expired or not. */
  validatedAt: string;
}

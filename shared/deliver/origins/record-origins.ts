import type { RecordCursor } from "../../records/documents/record-cursor.ts";
import type { StoredRecord } from "../../records/documents/stored-record.ts";
import type { OriginSelection } from "../../records/origin/origin-summary.ts";

/** A record in a list of records by origin. */
export type RecordOrigin = Pick<
  StoredRecord,
  "recordId" | "sourceId" | "title" | "landingUrl" | "syndicatedAt" | "state" | "origin" | "originFindings"
>;

/** The lists of records by origin. Each list has only the records with such an origin. */
export type OriginList =
  /** The records whose article was retracted or corrected. A record with both is listed as retracted. */
  | { type: "notices"; of: "article-retracted" | "article-corrected" }
  /** The records of a source whose witnesses disagree. */
  | { type: "disagreements"; of: string }
  /** The records of a source with a field that was not taken from the page. */
  | { type: "witnesses"; of: string };

export interface RecordOrigins {
  /**
   * Returns the selected records of a list, newest first. `next` is absent at the end. A page may be short without being
   * the last.
   */
  list(
    list: OriginList,
    selection: OriginSelection & {
      sourceId?: string | undefined;
      state?: StoredRecord["state"] | undefined;
      limit: number;
      after?: RecordCursor | undefined;
    },
  ): Promise<{ records: RecordOrigin[]; next?: RecordCursor }>;
}

import type { MarcRecord } from "../../marc/record.ts";
import type { StoredRecord } from "../../records/documents/stored-record.ts";
import type { DomainEvent } from "../../records/events/events.ts";
import type { RecordContent } from "../../records/reconversions/reconverted.ts";
import type { FieldChange } from "./field-change.ts";

/** A delivered record after the comparison with its new conversion. */
export type TriedRecord = Pick<StoredRecord, "recordId" | "title" | "landingUrl"> &
  (
    | { outcome: "changed"; changes: FieldChange[]; update: Update }
    | { outcome: "same" }
    | { outcome: "refused" | "unconvertible" | "gone" | "stale"; reason: string }
  );

/** The former content of a record, whose fields are at `recordKey`. */
export type FormerContent = RecordContent & { recordKey: string };

/** A new content for a delivered record. */
export interface Update extends Pick<StoredRecord, "recordId" | "sourceId" | "groupId"> {
  /** The record's entry in the archive, and its owner. */
  entryKey: string;
  owner: string;
  former: FormerContent;
  content: RecordContent;
  record: MarcRecord;
  /** The events of retractions and corrections. */
  events: DomainEvent[];
}

/** An update whose record is stored, and which no other reconversion can deliver meanwhile. */
export type ReservedUpdate = Omit<Update, "record"> & { recordKey: string };

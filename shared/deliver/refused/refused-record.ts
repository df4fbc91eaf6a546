import type { ConvertedDocument, RunMode } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";

/** A record that validation has refused and that waits for an operator. */
export interface RefusedRecord {
  deliveryMode: RunMode;
  /** All data that a delivery needs. */
  document: ConvertedDocument;
  /** The reasons for the refusal. The store returns only the first findings; `findingCount` is the total number. */
  findings: Finding[];
  findingCount: number;
  /** The start of the last run that refused the record. ISO 8601 in UTC. */
  refusedAt: string;
  /** The start of the first run that refused the record; set by the store. */
  firstRefusedAt?: string;
  /** Set when the next delivery of its mode takes the record, because the current rules or an operator permit it. */
  released?: { at: string; by: "rules" | "operator" };
  note?: OperatorNote;
}

/** A text that an operator wrote about a record. */
export interface OperatorNote {
  text: string;
  /** The operator's name or id. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

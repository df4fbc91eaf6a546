import type { ConvertedDocument, RunMode } from "../../records/runs/run.ts";
import type { Finding } from "../validation/finding.ts";

/** A record that validation has refused and that waits for an operator. */
export interface DelinquentRecord {
  deliveryMode: RunMode;
  /** All that a delivery needs. */
  document: ConvertedDocument;
  /** Why it was refused. The store gives the first ones; `findingCount` is the number of all. */
  findings: Finding[];
  findingCount: number;
  /** ISO 8601, UTC: the start of the run that refused it last. */
  refusedAt: string;
  /** The start of the run that refused it first; set by the store. */
  firstRefusedAt?: string;
  /** Set when the next delivery of its mode takes it: the rules allow it now, or an operator does. */
  released?: { at: string; by: "rules" | "operator" };
  note?: OperatorNote;
}

/** What an operator wrote about a record. */
export interface OperatorNote {
  text: string;
  /** The operator's name or id. */
  by: string;
  /** ISO 8601, UTC. */
  at: string;
}

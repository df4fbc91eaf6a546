import type { ConvertedArticle, RunMode } from "../../runs/run.ts";
import type { Finding } from "../../validation/finding.ts";

/** A record that validation has refused, as it waits for an operator. */
export interface DelinquentRecord {
  deliveryMode: RunMode;
  /** All that a delivery needs to know of it. */
  article: ConvertedArticle;
  /** Why it was refused; from the store the first of them, as `findingCount` tells. */
  findings: Finding[];
  findingCount: number;
  /** ISO 8601, UTC: the start of the run that refused it last. */
  refusedAt: string;
  /** Set when it goes into the next delivery of its mode: the rules allow it now, or an operator lets it through. */
  released?: { at: string; by: "rules" | "operator" };
}

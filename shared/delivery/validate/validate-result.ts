import type { Parts } from "../../runs/parts.ts";
import type { ConvertedArticle } from "../../runs/run.ts";
import type { Finding } from "../../validation/finding.ts";

/** A document that validation refused. */
export interface DelinquentArticle extends ConvertedArticle {
  findings: Finding[];
}

/** What a run's validation decided: fixed by its first completion, so that every later stage works on the same records. */
export interface ValidateResult {
  /** Of converted documents, as the next two: what is to be delivered. */
  valid: Parts;
  /** Of the valid: what earlier runs have refused and operators released since. */
  released: Parts;
  onlineFirst: Parts;
  /** Of delinquent documents. */
  delinquent: Parts;
  /** Of missed documents: refused, and the same article as a delinquent one. A preview tells such for themselves. */
  duplicates?: Parts;
  /** The pages of long harvests that join the run, as `HarvestPage`s. */
  joined: Parts;
  /** The long harvests whose last pages are among them. */
  completedHarvests: string[];
  /** ISO 8601, UTC. Later than all that the readers have asked the archive: by this time, claims hold or have expired. */
  validatedAt: string;
}

import type { Hop } from "../../web/exchange/exchange.ts";
import type { Finding } from "../verdict/finding.ts";
import type { NotCounted, Verdict } from "../verdict/verdict.ts";
import type { LinkCheck } from "./link-check.ts";

/** The number of checks that the API lists per record, and the number of days for which each check is stored. */
export const historyLength = 50;
export const historyDays = 90;

/** A stored check of a record. */
export interface PastCheck {
  checkId: string;
  recordId: string;
  /** ISO 8601 in UTC. */
  requestedAt: string;
  judgedAt: string;
  purpose: LinkCheck["purpose"]["type"];
  verdict: Verdict;
  /** @see Judgement; absent in checks that earlier versions stored. */
  finding?: Finding;
  sign?: string;
  reason: string;
  /** @see Judgement */
  notCounted?: NotCounted;
  hops: readonly Hop[];
}

export interface LinkHistory {
  /** Does nothing when the check is stored already. */
  add(check: PastCheck): Promise<void>;
  /** Newest first. */
  latest(recordId: string, limit: number): Promise<PastCheck[]>;
}

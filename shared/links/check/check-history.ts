import type { Hop } from "../../web/exchange/exchange.ts";
import type { LinkCheck } from "./link-check.ts";
import type { Verdict } from "./verdict.ts";

/** So many checks of a record are told of, and kept for so long. */
export const historyLength = 50;
export const historyDays = 90;

/** One check of a record, as it is remembered. */
export interface PastCheck {
  checkId: string;
  recordId: string;
  /** ISO 8601 in UTC. */
  askedAt: string;
  judgedAt: string;
  purpose: LinkCheck["purpose"]["type"];
  verdict: Verdict;
  reason: string;
  /** @see Judgement */
  isOurLimit?: true;
  hops: readonly Hop[];
}

export interface LinkHistory {
  /** The first one of a check stays. */
  add(check: PastCheck): Promise<void>;
  /** Of a record, newest first. */
  latest(recordId: string, limit: number): Promise<PastCheck[]>;
}

import type { Hop } from "../../web/exchange/exchange.ts";

/** What became of a link: the answers on its way, first to last, and how the way ended. */
export type ChainOutcome = { hops: readonly Hop[] } & (
  | {
      /** The last hop is the answer. */
      type: "answered";
      headers: Record<string, string>;
      /** Absent when it was not asked for, or could not be had. */
      body?: Uint8Array | undefined;
      bodyProblem?: { reason: string; detail: string } | undefined;
    }
  | { type: "refused"; reason: string; detail: string }
  | { type: "failed"; reason: string; detail: string }
);

import type { Hop } from "../../web/exchange/exchange.ts";

/**
 * The outcome of a link: the response of each hop, from first to last, and the way in which the redirect chain ended.
 */
export type ChainOutcome = { hops: readonly Hop[] } & (
  | {
      /** `headers` and `body` belong to the last hop. */
      type: "answered";
      headers: Record<string, string>;
      /** Absent when the body was not requested or could not be read. */
      body?: Uint8Array | undefined;
      bodyProblem?: { reason: string; detail: string } | undefined;
    }
  | { type: "refused"; reason: string; detail: string }
  | { type: "failed"; reason: string; detail: string }
);

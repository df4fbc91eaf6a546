import type { Hop } from "../../web/exchange/exchange.ts";
import { PageFacts } from "../signs/page-facts.ts";
import type { ChainOutcome } from "./chain-outcome.ts";

/**
 * What a check has found, in more detail than the verdict:
 * - `alive`, `moved`: the page is there; for `moved`, permanent redirects lead to it
 * - `gone`: the status or the rule says so. `gone-likely`: a sign on the page says so; alone, it is inconclusive
 * - `wall`: a sign shows that the host asks who we are, instead of sending the page
 * - `inconclusive`: none of these
 */
export const findings = ["alive", "moved", "gone", "gone-likely", "wall", "inconclusive"] as const;
export type Finding = (typeof findings)[number];

/** Returns what a verdict means for the finding, if no sign was found. */
export function findingOf(
  verdict: "alive" | "broken" | "inconclusive",
  hops: readonly Pick<Hop, "status">[],
): Finding {
  if (verdict === "broken") return "gone";
  if (verdict === "inconclusive") return verdict;
  const redirects = hops.slice(0, -1);
  const isPermanent = ({ status }: Pick<Hop, "status">) => status === 301 || status === 308;
  return redirects.length > 0 && redirects.every(isPermanent) ? "moved" : "alive";
}

/** Returns the beginning of the text of a page, in one line. */
export function excerptOf(chain: ChainOutcome): string {
  if (chain.type !== "answered" || chain.body === undefined) return "";
  return new PageFacts({ ...chain, body: chain.body }).excerpt;
}

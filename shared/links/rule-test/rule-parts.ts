import type { ChainOutcome } from "../check/chain-outcome.ts";
import { findOnPage, type PageFinding } from "../check/verdict.ts";
import type { CompiledRule } from "../rule/rule.ts";

/** What each part of a rule has found by itself. A part that the rule does not have hits nothing. */
export interface RuleParts {
  /** The statuses on the way that the patterns name, first to last. */
  statusCodes: { isHit: boolean; statuses: number[] };
  xpath: {
    isHit: boolean;
    /** Of a hit, the text of the first node. */
    matchedText?: string;
    /** Why nothing could be found, where that is not for want of a node. */
    problem?: string;
  };
}

/**
 * Tries each part of a rule on a link, also where another part, or the status alone, decides the verdict: whoever writes an
 * expression for the error page of a host wants to know whether it hits, though the page comes with a 404.
 */
export function tryParts(chain: ChainOutcome, rule: CompiledRule): RuleParts {
  const statuses = chain.hops.map(({ status }) => status).filter((status) => rule.brokenStatuses.has(status));
  return { statusCodes: { isHit: statuses.length > 0, statuses }, xpath: tryXPath(chain, rule) };
}

function tryXPath(chain: ChainOutcome, { xpath }: CompiledRule): RuleParts["xpath"] {
  if (xpath === undefined) return { isHit: false };
  if (chain.type !== "answered") return { isHit: false, problem: `there is no page: ${chain.detail}` };
  return describeFinding(findOnPage(chain, xpath));
}

function describeFinding(finding: PageFinding): RuleParts["xpath"] {
  switch (finding.type) {
    case "hit":
      return { isHit: true, matchedText: finding.text };
    case "no-hit":
      return { isHit: false };
    case "no-markup":
      return { isHit: false, problem: finding.detail };
    case "not-judged":
      return { isHit: false, problem: finding.grounds.reason };
  }
}

import type { CompiledRule } from "../rule/rule.ts";
import type { ChainOutcome } from "../verdict/chain-outcome.ts";
import { findFinalUrl, findOnPage, type PageFinding } from "../verdict/verdict.ts";

/** The separate result of each part of a rule. A part that is missing from the rule does not match. */
export interface RuleParts {
  /** The statuses in the redirect chain that the patterns match, from first to last. */
  statusCodes: { isHit: boolean; statuses: number[] };
  finalUrl: {
    isHit: boolean;
    /** Set for a hit: the address that the redirects lead to. */
    url?: string;
  };
  xpath: {
    isHit: boolean;
    /** Set for a hit: the text of the first node. */
    matchedText?: string;
    /** The reason why the XPath could not be evaluated. */
    problem?: string;
  };
}

/**
 * Tries each part of a rule on a link, even when another part decides the verdict. The author of an XPath for an error
 * page wants to know whether it matches, even if the page is sent with a 404.
 */
export function tryParts(chain: ChainOutcome, rule: CompiledRule): RuleParts {
  const statuses = chain.hops.map(({ status }) => status).filter((status) => rule.brokenStatuses.has(status));
  const url = findFinalUrl(chain, rule);
  return {
    statusCodes: { isHit: statuses.length > 0, statuses },
    finalUrl: { isHit: url !== undefined, ...(url !== undefined && { url }) },
    xpath: tryXPath(chain, rule),
  };
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
      return { isHit: false, problem: finding.judgement.reason };
  }
}

import { markupOf } from "../../web/encoding/markup.ts";
import type { AnswerHead, FailureReason, Hop, RefusalReason } from "../../web/exchange/exchange.ts";
import { applyBodyPolicy, isGone, isThrottledOrServerError } from "../../web/gate/body-policy.ts";
import { unavailable } from "../../web/gate/retry-policy.ts";
import { matchPage } from "../rule/match-page.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { XPath } from "../xpath/xpath.ts";
import type { ChainOutcome } from "./chain-outcome.ts";

/**
 * - `alive`: it was answered, and nothing speaks against the answer
 * - `broken`: the host, or the collection's rule, says that it is gone
 * - `inconclusive`: nothing has been learned about the link; it changes no state by itself
 */
export type Verdict = "alive" | "broken" | "inconclusive";

export interface Judgement {
  verdict: Verdict;
  /** For people. */
  reason: string;
  /** What was found on the page, when that is the reason: the text of the first node that the rule's XPath hits. */
  matchedText?: string;
  /** Of an inconclusive one: our own limits, not the host, keep us from knowing. So it is no evidence against the link. */
  isOurLimit?: true;
  hops: readonly Hop[];
}

/** Of a matched node; an XPath such as `//body` matches whole pages. */
const maxMatchedTextLength = 300;

/** Why we did not ask, or did not read to the end; what else goes wrong on the way is the host's. */
const ourLimits: ReadonlySet<string> = new Set<RefusalReason | FailureReason>([
  "bad-url",
  "scheme",
  "port",
  "address",
  "too-many-hops",
  "enhance-your-calm",
  "headers-too-large",
  "body-too-large",
  "decompression-ratio",
]);

/**
 * Judges a link by what became of it. Statuses come first, because any hop may decide; then whether there is a document
 * to look into; then the document. A server's own trouble (5xx, 429) tells nothing about the link unless the rule names
 * it, whatever its page says. Whether the rule is active is for those to decide who ask.
 */
export function judgeLink(chain: ChainOutcome, rule: CompiledRule): Judgement {
  const { hops } = chain;
  return { ...(judgeStatuses(hops, rule) ?? judgeEnd(chain, rule)), hops };
}

type JudgementReason = Omit<Judgement, "hops">;

function judgeStatuses(
  hops: readonly Pick<Hop, "status">[],
  rule: CompiledRule,
): JudgementReason | undefined {
  for (const { status } of hops) {
    if (isGone(status)) return { verdict: "broken", reason: `answered ${status}` };
    if (rule.brokenStatuses.has(status)) {
      return { verdict: "broken", reason: `answered ${status}, which the rule names (${rule.statusCodes})` };
    }
  }
  return undefined;
}

/** Whether the page of an answer is looked into, when the chain ends with it: its status may say all, or the rule nothing. */
export function pageBodyPolicy(head: AnswerHead, rule: CompiledRule): "keep" | "discard" {
  if (rule.xpath === undefined || judgeStatuses([head], rule) !== undefined) return "discard";
  return applyBodyPolicy("markup-if-inconclusive", head);
}

function judgeEnd(chain: ChainOutcome, { xpath }: CompiledRule): JudgementReason {
  if (chain.type !== "answered") {
    return inconclusiveBecause(describeNoAnswer(chain), chain);
  }
  const status = chain.hops.at(-1)?.status ?? 0;
  if (isThrottledOrServerError(status)) return inconclusive(`answered ${status}`);
  if (xpath === undefined) return alive(status);

  const finding = findOnPage(chain, xpath);
  switch (finding.type) {
    case "hit":
      return {
        verdict: "broken",
        reason: `the page matches ${xpath.text}`,
        matchedText: finding.text,
      };
    case "no-hit":
      return alive(status);
    case "no-markup":
      // Whoever tries a rule should know that there is nothing it could find.
      return alive(status, `; ${finding.detail}`);
    case "not-judged":
      return finding.grounds;
  }
}

/** What an XPath finds on a page: of a hit the text of the first node, in one line. */
export type PageFinding =
  | { type: "hit"; text: string }
  | { type: "no-hit" }
  | { type: "no-markup"; detail: string }
  | { type: "not-judged"; grounds: JudgementReason };

/** Looks for an XPath on the page of an answer, whatever its status. */
export function findOnPage(chain: Extract<ChainOutcome, { type: "answered" }>, xpath: XPath): PageFinding {
  const contentType = chain.headers["content-type"];
  if (markupOf(contentType) === undefined) {
    return { type: "no-markup", detail: `the XPath does not apply to ${contentType?.slice(0, 100)}` };
  }
  if (chain.body === undefined) {
    if (chain.bodyProblem !== undefined)
      return notJudged(inconclusiveBecause("page not judged", chain.bodyProblem));
    return notJudged({ ...inconclusive("page not judged: it was not asked for"), isOurLimit: true });
  }
  const match = matchPage(xpath, chain.body, contentType);
  switch (match.type) {
    case "hit":
      return { type: "hit", text: match.text.replace(/\s+/g, " ").trim().slice(0, maxMatchedTextLength) };
    case "no-hit":
      return match;
    case "too-large":
      return notJudged({ ...inconclusive(`page not judged: ${match.detail}`), isOurLimit: true });
  }
}

function notJudged(grounds: JudgementReason): PageFinding {
  return { type: "not-judged", grounds };
}

/** What there is instead of a last answer. A link whose first hop was answered has been asked: its way was not followed. */
function describeNoAnswer({ type, reason, hops }: Exclude<ChainOutcome, { type: "answered" }>): string {
  if (type === "failed" && reason !== unavailable) return "no answer";
  return hops.length > 0 ? "not followed" : "not asked";
}

function alive(status: number, more = ""): JudgementReason {
  return { verdict: "alive", reason: `answered ${status}${more}` };
}

function inconclusive(reason: string): JudgementReason {
  return { verdict: "inconclusive", reason };
}

function inconclusiveBecause(
  what: string,
  { reason, detail }: { reason: string; detail: string },
): JudgementReason {
  return {
    ...inconclusive(`${what} (${reason}): ${detail}`),
    ...(ourLimits.has(reason) && { isOurLimit: true }),
  };
}

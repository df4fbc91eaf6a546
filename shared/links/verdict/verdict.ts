import { hostKeyOf } from "../../web/address/host-key.ts";
import type { RefusalReason } from "../../web/address/refusal.ts";
import { markupOf } from "../../web/encoding/markup.ts";
import type { AnswerHead, FailureReason, Hop } from "../../web/exchange/exchange.ts";
import { isSuccess, unavailable } from "../../web/gate/retry-policy.ts";
import { applyBodyPolicy, isGone, isThrottledOrServerError } from "../../web/request/body-policy.ts";
import { deadLettered, tooLate, unprocessed, withdrawn } from "../../web/request/response.ts";
import { matchPage } from "../rule/match-page.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { XPath } from "../xpath/xpath.ts";
import type { ChainOutcome } from "./chain-outcome.ts";

/**
 * - `alive`: the status is 2xx, and the rule does not say otherwise
 * - `broken`: the status is 404 or 410, or the collection's rule says that the page is gone
 * - `inconclusive`: nothing was learned about the link; alone it changes no link status
 */
export type Verdict = "alive" | "broken" | "inconclusive";

/**
 * Why an inconclusive check is not evidence about its link, so that it counts neither for nor against it:
 * - `our-limit`: a limit of Ingather prevented a verdict
 * - `refuses-us`: the host's response is about us as a client
 * - `no-evidence`: the host's response is about neither us nor the page
 * - `unavailable`: it was not requested, because requests before it have found the host unavailable
 * - `not-checked`: it was not requested, because its turn came too late, or its collection or host was stopped meanwhile
 */
export type NotCounted = "our-limit" | "refuses-us" | "no-evidence" | "unavailable" | "not-checked";

export interface Judgement {
  verdict: Verdict;
  /** For people. */
  reason: string;
  /** The part of the rule that hit, when that is the reason; absent for 404 and 410, which are always broken. */
  rulePart?: "statusCodes" | "finalUrl" | "xpath";
  /** The text of the first node that the rule's XPath hits, when that is the reason. */
  matchedText?: string;
  /** Only for `inconclusive`. */
  notCounted?: NotCounted;
  hops: readonly Hop[];
}

/** An XPath such as `//body` matches whole pages. */
const maxMatchedTextLength = 300;

/** Reasons for not requesting a link, or not reading its response, that are ours; all others are the host's. */
const ourLimits: ReadonlySet<string> = new Set<
  RefusalReason | FailureReason | typeof unprocessed | typeof deadLettered
>([
  "bad-url",
  "scheme",
  "port",
  "address",
  "too-many-hops",
  "enhance-your-calm",
  "headers-too-large",
  "body-too-large",
  "decompression-ratio",
  unprocessed,
  deadLettered,
]);

/**
 * Answers that turn our request away and say nothing of the page: bot walls, logins, countries, objections to the request,
 * statuses that HTTP does not define (LinkedIn's 999 for machines). With browsers the same link may work, or be gone.
 * Asked after the statuses that decide: 404 and 410, 429 and 5xx.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-client-error-4xx
 */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500) || status >= 600;
}

/**
 * Judges a link by its outcome: first by the status of any hop, then by where it leads, then by the page. Only 2xx is
 * evidence that a page exists, and only 404 and 410 that it is gone. 5xx and 429 say nothing about the link unless the
 * rule names them, whatever their page says; all other statuses say nothing unless the rule names them or hits on their
 * page. Callers decide whether the rule is active.
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
      const reason = `answered ${status}, which the rule names (${rule.statusCodes})`;
      return { verdict: "broken", reason, rulePart: "statusCodes" };
    }
  }
  return undefined;
}

/** Whether the body of a response is needed: not when its status decides, or the rule has no XPath. */
export function pageBodyPolicy(head: AnswerHead, rule: CompiledRule): "keep" | "discard" {
  if (rule.xpath === undefined || judgeStatuses([head], rule) !== undefined) return "discard";
  return applyBodyPolicy("markup-if-inconclusive", head);
}

function judgeEnd(chain: ChainOutcome, rule: CompiledRule): JudgementReason {
  if (chain.type !== "answered") {
    return inconclusiveBecause(describeNoAnswer(chain), chain);
  }
  const finalUrl = findFinalUrl(chain, rule);
  if (finalUrl !== undefined) {
    return {
      verdict: "broken",
      reason: `it leads to ${finalUrl}, which the rule names (${rule.finalUrl?.pattern()})`,
      rulePart: "finalUrl",
    };
  }
  const { xpath } = rule;
  const status = chain.hops.at(-1)?.status ?? 0;
  if (isThrottledOrServerError(status)) return inconclusive(`answered ${status}`);
  if (xpath === undefined) return judgeUnnamed(chain);

  const finding = findOnPage(chain, xpath);
  switch (finding.type) {
    case "hit":
      return {
        verdict: "broken",
        reason: `the page matches ${xpath.text}`,
        rulePart: "xpath",
        matchedText: finding.text,
      };
    case "no-hit":
      return judgeUnnamed(chain);
    case "no-markup":
      // Shows to those who try a rule that its XPath cannot apply.
      return judgeUnnamed(chain, `; ${finding.detail}`);
    case "not-judged":
      return isSuccess(status) ? finding.judgement : judgeUnnamed(chain);
  }
}

/** The address of the last hop, without fragment, when the rule names it. */
export function findFinalUrl(
  { type, hops }: Pick<ChainOutcome, "type" | "hops">,
  { finalUrl }: CompiledRule,
): string | undefined {
  if (finalUrl === undefined || type !== "answered") return undefined;
  const [url] = hops.at(-1)?.url.split("#", 1) ?? [];
  return url !== undefined && finalUrl.matches(url) ? url : undefined;
}

/** The result of an XPath on a page. `text`: the first node's, in one line. */
export type PageFinding =
  | { type: "hit"; text: string }
  | { type: "no-hit" }
  | { type: "no-markup"; detail: string }
  | { type: "not-judged"; judgement: JudgementReason };

/** Evaluates an XPath on the page of a response, whatever its status. */
export function findOnPage(chain: Extract<ChainOutcome, { type: "answered" }>, xpath: XPath): PageFinding {
  const contentType = chain.headers["content-type"];
  if (markupOf(contentType) === undefined) {
    return { type: "no-markup", detail: `the XPath does not apply to ${contentType?.slice(0, 100)}` };
  }
  if (chain.body === undefined) {
    if (chain.bodyProblem !== undefined)
      return notJudged(inconclusiveBecause("page not judged", chain.bodyProblem));
    return notJudged({ ...inconclusive("page not judged: it was not requested"), notCounted: "our-limit" });
  }
  const match = matchPage(xpath, chain.body, contentType);
  switch (match.type) {
    case "hit":
      return { type: "hit", text: match.text.replace(/\s+/g, " ").trim().slice(0, maxMatchedTextLength) };
    case "no-hit":
      return match;
    case "too-large":
      return notJudged({ ...inconclusive(`page not judged: ${match.detail}`), notCounted: "our-limit" });
  }
}

function notJudged(judgement: JudgementReason): PageFinding {
  return { type: "not-judged", judgement };
}

/** What happened instead of a final response. A link with hops was requested, but its redirects were not followed. */
function describeNoAnswer({ type, reason, hops }: Exclude<ChainOutcome, { type: "answered" }>): string {
  if (type === "failed" && reason !== unavailable) return "no answer";
  return hops.length > 0 ? "not followed" : "not requested";
}

/** The judgement of an answer that neither its status nor the rule calls broken. */
function judgeUnnamed({ hops }: Pick<ChainOutcome, "hops">, more = ""): JudgementReason {
  const { status = 0, url = "" } = hops.at(-1) ?? {};
  if (isSuccess(status)) return { verdict: "alive", reason: `answered ${status}${more}` };
  if (!isRefusal(status)) return { ...inconclusive(`answered ${status}`), notCounted: "no-evidence" };
  return { ...inconclusive(`answered ${status}: ${hostKeyOf(url)} refuses us`), notCounted: "refuses-us" };
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
    ...(ourLimits.has(reason) && { notCounted: "our-limit" as const }),
    ...(reason === unavailable && { notCounted: unavailable }),
    ...((reason === tooLate || reason === withdrawn) && { notCounted: "not-checked" as const }),
  };
}

import type { XPath } from "../../formats/xpath/xpath.ts";
import { hostKeyOf } from "../../web/address/host-key.ts";
import type { RefusalReason } from "../../web/address/refusal.ts";
import { markupOf } from "../../web/encoding/markup.ts";
import type { AnswerHead, FailureReason, Hop, PeekMode } from "../../web/exchange/exchange.ts";
import { isSuccess, unavailable } from "../../web/gate/retry-policy.ts";
import { applyBodyPolicy, isGone, isThrottledOrServerError } from "../../web/request/body-policy.ts";
import { deadLettered, tooLate, unprocessed, withdrawn } from "../../web/request/response.ts";
import { matchPage } from "../rule/match-page.ts";
import type { CompiledRule } from "../rule/rule.ts";
import { findSign } from "../signs/find-sign.ts";
import type { ChainOutcome } from "./chain-outcome.ts";
import { excerptOf, type Finding, findingOf } from "./finding.ts";

/**
 * The verdict on a link:
 * - `alive`: the status is 2xx with content, and no part of the rule contradicts
 * - `broken`: the status is 404 or 410, or the collection's rule says that the page is gone
 * - `inconclusive`: nothing was learned about the link; a single such check changes no link status
 */
export type Verdict = "alive" | "broken" | "inconclusive";

/**
 * The reason why an inconclusive check counts neither for nor against its link:
 * - `our-limit`: a limit of Ingather prevented a verdict
 * - `refuses-us`: the host's response is about us as a client
 * - `no-evidence`: the host's response is about neither us nor the page
 * - `unavailable`: the link was not requested, because earlier requests found the host unavailable
 * - `not-checked`: the link was not requested, because its turn came too late, or its collection or host was stopped
 *   meanwhile
 */
export type NotCounted = "our-limit" | "refuses-us" | "no-evidence" | "unavailable" | "not-checked";

export interface Judgement {
  verdict: Verdict;
  finding: Finding;
  /** The id of the sign that was found on the page, if that is the reason. */
  sign?: string;
  /** The beginning of the text of a page that is not alive, if it was read. */
  excerpt?: string;
  /** A text for people. */
  reason: string;
  /** The part of the rule that matched, if that is the reason; absent for 404 and 410, which are always broken. */
  rulePart?: "statusCodes" | "finalUrl" | "xpath";
  /** The text of the first node that the rule's XPath matches, if that is the reason. */
  matchedText?: string;
  /** Set only for `inconclusive`. */
  notCounted?: NotCounted;
  hops: readonly Hop[];
}

/** The matched text is truncated, because an XPath such as `//body` matches whole pages. */
const maxMatchedTextLength = 300;

/**
 * The reasons, for not requesting a link or not reading its response, that are limits of Ingather. All other reasons
 * are the host's.
 */
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
 * Returns whether a response rejects our request and says nothing about the page. Examples are bot walls, logins,
 * blocked countries, objections to the request, and statuses that HTTP does not define (LinkedIn sends 999 to
 * machines). In a browser, the same link may work, or may be gone. Called only after 404, 410, 429 and 5xx have been
 * handled.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-client-error-4xx
 */
function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500) || status >= 600;
}

/**
 * The successful statuses that do not send the page: 202 only promises a result (bot walls answer with it), and 204 and
 * 205 have no content.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-202-accepted
 */
const successWithoutPage: ReadonlySet<number> = new Set([202, 204, 205]);

/** Decides whether a status is evidence that a page exists, provided that the response has content. */
export function isStatusOfPage(status: number): boolean {
  return isSuccess(status) && !successWithoutPage.has(status);
}

/**
 * Judges a link by its outcome: first by the status of each hop, then by the address that the redirects lead to, then
 * by the page. Only 2xx with content is evidence that a page exists, and only 404 and 410 are evidence that it is gone.
 * 5xx and 429 say nothing about the link unless the rule names them, whatever their page says. All other statuses say
 * nothing unless the rule names them or matches on their page. Callers decide whether the rule is active.
 */
export function judgeLink(chain: ChainOutcome, rule: CompiledRule): Judgement {
  const { hops } = chain;
  const reason = judgeStatuses(hops, rule) ?? judgeEnd(chain, rule);
  const excerpt = reason.verdict === "alive" ? undefined : excerptOf(chain);
  return {
    ...reason,
    finding: reason.finding ?? findingOf(reason.verdict, hops),
    ...(excerpt && { excerpt }),
    hops,
  };
}

/** `finding` is set only where the verdict does not tell it. */
type JudgementReason = Omit<Judgement, "hops" | "finding" | "excerpt"> & { finding?: Finding };

type Answered = Extract<ChainOutcome, { type: "answered" }>;

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

/**
 * Decides whether the body of a response is needed. It is not needed when the status decides. When the rule has no
 * XPath, only signs need the page, and its beginning is enough for them.
 */
export function pageBodyPolicy(
  head: AnswerHead,
  rule: CompiledRule,
  { readsSigns }: { readsSigns: boolean },
): "keep" | "discard" | PeekMode {
  if (judgeStatuses([head], rule) !== undefined) return "discard";
  if (rule.xpath !== undefined) return applyBodyPolicy("markup-if-inconclusive", head);
  return readsSigns ? applyBodyPolicy("markup-start", head) : "discard";
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
      // Tells people who try a rule that its XPath cannot apply.
      return judgeUnnamed(chain, `; ${finding.detail}`);
    case "not-judged":
      return isSuccess(status) ? finding.judgement : judgeUnnamed(chain);
  }
}

/** Returns the address of the last hop, without fragment, if the rule names that address. */
export function findFinalUrl(
  { type, hops }: Pick<ChainOutcome, "type" | "hops">,
  { finalUrl }: CompiledRule,
): string | undefined {
  if (finalUrl === undefined || type !== "answered") return undefined;
  const [url] = hops.at(-1)?.url.split("#", 1) ?? [];
  return url !== undefined && finalUrl.matches(url) ? url : undefined;
}

/** The result of an XPath on a page. `text` is the text of the first node, in one line. */
export type PageFinding =
  | { type: "hit"; text: string }
  | { type: "no-hit" }
  | { type: "no-markup"; detail: string }
  | { type: "not-judged"; judgement: JudgementReason };

/** Evaluates an XPath on the page of a response, whatever its status. */
export function findOnPage(chain: Answered, xpath: XPath): PageFinding {
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

/**
 * Describes what happened instead of a final response. A link with hops was requested, but its redirects were not
 * followed.
 */
function describeNoAnswer({ type, reason, hops }: Exclude<ChainOutcome, { type: "answered" }>): string {
  if (type === "failed" && reason !== unavailable) return "no answer";
  return hops.length > 0 ? "not followed" : "not requested";
}

/** Judges a response that neither its status nor the rule calls broken. */
function judgeUnnamed(chain: Answered, more = ""): JudgementReason {
  const { status = 0, url = "" } = chain.hops.at(-1) ?? {};
  if (isStatusOfPage(status)) {
    if (!isEmpty(chain))
      return judgeSigns(chain) ?? { verdict: "alive", reason: `answered ${status}${more}` };
    return { ...inconclusive(`answered ${status} without content`), notCounted: "no-evidence" };
  }
  if (!isRefusal(status)) return { ...inconclusive(`answered ${status}`), notCounted: "no-evidence" };
  return { ...inconclusive(`answered ${status}: ${hostKeyOf(url)} refuses us`), notCounted: "refuses-us" };
}

/**
 * Judges a page by the first sign on it. No sign makes a link broken: see `applyCheck`.
 * @returns undefined for a page without a sign, and for a page that was not read
 */
function judgeSigns(chain: Answered): JudgementReason | undefined {
  const { body, hops } = chain;
  const sign = body === undefined ? undefined : findSign({ ...chain, body });
  if (sign === undefined) return undefined;
  const { status = 0, url = "" } = hops.at(-1) ?? {};
  const { id, name, finding } = sign;
  const answered = `answered ${status}`;
  if (finding === "wall")
    return {
      ...inconclusive(`${answered}: ${hostKeyOf(url)} refuses us (${name})`),
      ...{ finding, sign: id, notCounted: "refuses-us" as const },
    };
  return {
    ...inconclusive(`${answered}, but the page is probably gone (${name})`),
    ...{ finding, sign: id, notCounted: "no-evidence" as const },
  };
}

/** Decides whether a response has no content, as far as is known: the body may not have been requested. */
function isEmpty({ headers, body, bodyProblem }: Answered): boolean {
  if (headers["content-length"] === "0") return true;
  return body?.byteLength === 0 && bodyProblem === undefined;
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

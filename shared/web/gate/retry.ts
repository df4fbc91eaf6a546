import { hostKey } from "../address/host-key.ts";
import type { Answer, ExchangeOutcome, FailureReason } from "../exchange/exchange.ts";
import type { GatePolicy } from "./gate-policy.ts";

/** What an exchange says of its host: that it is well, that it is in trouble or asks for patience, or nothing. */
export type Standing = "well" | "in-trouble" | "unknown";

/** What to do after an exchange. */
export interface Retry {
  type: "settled" | "again";
  /** How long the host is left alone besides its delay, whatever is asked of it next. */
  afterMs: number;
  standing: Standing;
}

/** Transport failures that may pass. */
const passing: ReadonlySet<FailureReason> = new Set(["dns", "connect", "reset", "timeout"]);

/** Failures by which a host, or its port, is not there. */
const away: ReadonlySet<FailureReason> = new Set(["dns", "connect"]);

/** Any maximum is reached before; numbers stay finite. */
const mostDoublings = 30;

/** Failures that say nothing of how the host bears our requests. */
const silent: ReadonlySet<FailureReason> = new Set(["tls", "translation-server"]);

/** The statuses by which a host asks for patience. */
export function asksForPatience(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** Whether an answer's body is what was asked for. @see https://www.rfc-editor.org/rfc/rfc9110#name-successful-2xx */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Decides whether an exchange is tried again, and how long its host is left alone: exponential back-off with jitter, which
 * grows as long as the host is in trouble, at least the host's own Retry-After; before the last try of a host that cannot
 * be reached, at least `policy.lastTryAfterMs`. The last try of a request, too, is followed by that rest.
 * @param tries.attempts of this exchange so far, this one included
 * @param tries.failures exchanges in a row, before this one, after which the host was in trouble
 * @param random in [0, 1)
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function decideRetry(
  outcome: ExchangeOutcome,
  tries: { attempts: number; failures: number },
  { policy, now, random }: { policy: GatePolicy; now: Date; random: number },
): Retry {
  const { attempts, failures } = tries;
  const standing = standingAfter(outcome);
  const isOurs = outcome.type === "failed" && outcome.reason === "translation-server";
  if (standing !== "in-trouble" && !isOurs) return { type: "settled", afterMs: 0, standing };
  const type = attempts < policy.attempts ? "again" : "settled";
  if (type === "settled" && isOurs) return { type, afterMs: 0, standing };
  const doublings = Math.min(Math.max(attempts - 1, failures), mostDoublings);
  const full = Math.min(policy.backoffBaseMs * 2 ** doublings, policy.backoffMaxMs);
  const backoffMs = full * (0.75 + random / 2);
  const asked = outcome.type === "answered" ? retryAfterMs(outcome, now) : 0;
  const isAway = outcome.type === "failed" && away.has(outcome.reason);
  const probed = isAway && attempts === policy.attempts - 1 ? policy.lastTryAfterMs : 0;
  const restMs = Math.max(backoffMs, Math.min(asked, policy.retryAfterMaxMs), probed);
  // The clock has whole milliseconds: it may be up to one later than it says.
  return { type, afterMs: restMs === 0 ? 0 : Math.ceil(restMs) + 1, standing };
}

function standingAfter(outcome: ExchangeOutcome): Standing {
  switch (outcome.type) {
    case "answered":
      return standingBy(outcome);
    case "failed":
      if (silent.has(outcome.reason)) return "unknown";
      return passing.has(outcome.reason) ? "in-trouble" : "well";
    case "refused":
      return "unknown";
  }
}

/** What the translation server says is of a page. A status other than 2xx says what there is to say without a body. */
function standingBy({ status, bodyProblem, translated }: Answer): Standing {
  if (translated !== undefined) return "unknown";
  const brokeOff = bodyProblem !== undefined && passing.has(bodyProblem.reason) && isSuccess(status);
  return brokeOff || asksForPatience(status) ? "in-trouble" : "well";
}

/**
 * What is not there, so that no other request to it has a chance right now: the host, by its key, when its name has no
 * address; the origin when only a connection to its port fails.
 */
export function awayAfter(outcome: ExchangeOutcome, url: URL): { what: string; detail: string } | undefined {
  if (outcome.type !== "failed" || !away.has(outcome.reason)) return undefined;
  return { what: outcome.reason === "dns" ? hostKey(url) : url.origin, detail: outcome.detail };
}

/** Retry-After of a 429 or 503 in milliseconds, from seconds or an HTTP date; 0 when absent or unreadable. */
function retryAfterMs(answer: { status: number; headers: Record<string, string> }, now: Date): number {
  const value = answer.headers["retry-after"]?.trim();
  if (value === undefined || (answer.status !== 429 && answer.status !== 503)) return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}

import { dayMs } from "../../core/day.ts";
import { hostKey } from "../address/host-key.ts";
import type { Answer, ExchangeOutcome, FailureReason } from "../exchange/exchange.ts";
import type { GatePolicy } from "./gate-policy.ts";

/** The state of a host that an exchange indicates. `failing` includes 429 and 503. */
type HostHealth = "healthy" | "failing" | "unknown";

/** The decision after an exchange. */
export interface RetryDecision {
  type: "final" | "retry";
  /** The time for which no request is made to the host, in addition to the host's delay. */
  backoffMs: number;
  health: HostHealth;
}

/** Transport failures that may be temporary. */
const transientFailures: ReadonlySet<FailureReason> = new Set([
  "dns",
  "connect",
  "reset",
  "timeout",
  "enhance-your-calm",
]);

/** Failures that show that a host, or its port, cannot be reached. */
const unreachableFailures: ReadonlySet<FailureReason> = new Set(["dns", "connect"]);

/** Every maximum is reached before this number of doublings. The limit only keeps numbers finite. */
const maxDoublings = 30;

/** Failures that do not indicate that the host is overloaded. */
const neutralFailures: ReadonlySet<FailureReason> = new Set(["tls", "transport-unavailable"]);

/**
 * Client errors after which the same request is sent again: after 408 and 421 on another connection, after 425 later.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-408-request-timeout
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-421-misdirected-request
 * @see https://www.rfc-editor.org/rfc/rfc8470#section-5.2 425
 */
const repeatableStatuses: ReadonlySet<number> = new Set([408, 421, 425]);

/** Decides whether a status is temporary. */
function isRetryableStatus(status: number): boolean {
  if (repeatableStatuses.has(status) || status === 429) return true;
  return status >= 500 && status !== 501 && status !== 505;
}

/**
 * Decides whether a response reports a temporary failure of its page. 429 and 503 report a failure of their host
 * instead.
 */
export function isPageFailure(outcome: ExchangeOutcome): boolean {
  if (outcome.type !== "answered" || outcome.status === 429 || outcome.status === 503) return false;
  return isRetryableStatus(outcome.status);
}

/**
 * Decides whether a response's body is the requested resource. @see
 * https://www.rfc-editor.org/rfc/rfc9110#name-successful-2xx
 */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * The refusal reason of requests that are not sent, because earlier requests have found the host or port unavailable.
 */
export const unavailable = "unavailable";

/** A host's recent failures. */
export interface FailureStreak {
  /** The number of consecutive exchanges that failed. */
  failures: number;
  /** The number of consecutive requests that were given up because of the host. */
  givenUp: number;
}

/**
 * Decides whether an exchange is retried, and how long the host's back-off lasts. The back-off is exponential with
 * jitter, and grows while the host is failing. It lasts at least as long as the Retry-After of the host or transport.
 * Before the last attempt at a host that cannot be reached, it lasts at least `policy.lastAttemptMinDelayMs`. There is
 * also a back-off after the last attempt. After several consecutive requests were given up, each further request gets
 * one attempt.
 * @param tries.attempts the attempts of this exchange so far, including this one
 * @param tries the host's failures before this exchange
 * @param random in [0, 1)
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function decideRetry(
  outcome: ExchangeOutcome,
  tries: FailureStreak & { attempts: number },
  { policy, now, random }: { policy: GatePolicy; now: Date; random: number },
): RetryDecision {
  const { attempts, failures, givenUp } = tries;
  const health = healthAfter(outcome);
  const isTransportDown = outcome.type === "failed" && outcome.reason === "transport-unavailable";
  if (health !== "failing" && !isTransportDown) return { type: "final", backoffMs: 0, health };
  const isUnreachable = outcome.type === "failed" && unreachableFailures.has(outcome.reason);
  const isSingleAttempt = givenUp >= policy.singleAttemptAfterGivenUp && !isUnreachable && !isTransportDown;
  const isTooPatient = exceedingRetryAfterMs(outcome, { policy, now }) !== undefined;
  const type = attempts < policy.maxAttempts && !isSingleAttempt && !isTooPatient ? "retry" : "final";
  const requestedMs = Math.min(requestedDelayMs(outcome, now), policy.retryAfterMaxMs);
  if (type === "final" && isTransportDown) return { type, backoffMs: rounded(requestedMs), health };
  const doublings = Math.min(Math.max(attempts - 1, failures), maxDoublings);
  const full = Math.min(policy.backoffBaseMs * 2 ** doublings, policy.backoffMaxMs);
  const backoffMs = full * (0.75 + random / 2);
  const probeWaitMs = isUnreachable && attempts === policy.maxAttempts - 1 ? policy.lastAttemptMinDelayMs : 0;
  const longestMs = Math.max(backoffMs, requestedMs, probeWaitMs);
  return { type, backoffMs: rounded(longestMs), health };
}

/**
 * Rounds up and adds 1 ms: the clock truncates to whole milliseconds, so the real time may be up to 1 ms later than its
 * reading.
 */
function rounded(ms: number): number {
  return ms === 0 ? 0 : Math.ceil(ms) + 1;
}

function healthAfter(outcome: ExchangeOutcome): HostHealth {
  switch (outcome.type) {
    case "answered":
      return healthFromAnswer(outcome);
    case "failed":
      if (neutralFailures.has(outcome.reason)) return "unknown";
      return transientFailures.has(outcome.reason) ? "failing" : "healthy";
    case "refused":
      return "unknown";
  }
}

/**
 * Decides the host's health from a response. The response of a transport is about a page, not about the page's host. A
 * status other than 2xx has a meaning even without its body.
 */
function healthFromAnswer({ status, bodyProblem, stored, transport }: Answer): HostHealth {
  if (transport !== undefined) return "unknown";
  const isIncomplete =
    bodyProblem !== undefined &&
    // The received part of a file is kept, and its reader requests the rest.
    !(stored?.isIncomplete && stored.sizeBytes > 0) &&
    transientFailures.has(bodyProblem.reason) &&
    isSuccess(status);
  return isIncomplete || isRetryableStatus(status) ? "failing" : "healthy";
}

/**
 * Returns a host's failures after an exchange. A request is given up when its host fails and the request is not
 * retried.
 */
export function failureStreakAfter(
  { failures, givenUp }: FailureStreak,
  { type, health }: RetryDecision,
): FailureStreak {
  if (health === "healthy") return { failures: 0, givenUp: 0 };
  if (health === "unknown") return { failures, givenUp };
  return { failures: failures + 1, givenUp: type === "final" ? givenUp + 1 : givenUp };
}

/** The longest time for which a Retry-After makes a host unavailable. */
export const longestUnavailableMs = dayMs;

/**
 * Returns what counts as unavailable after an exchange, and for how long. The host counts as unavailable, by its key,
 * when its name has no address, when too many consecutive requests were given up, or when its Retry-After is too long.
 * The origin counts as unavailable when only the connection to its port fails.
 * @param url the URL that was given up
 * @param givenUp the consecutive requests given up, including this one
 */
export function unavailabilityAfter(
  outcome: ExchangeOutcome,
  url: URL,
  { givenUp, policy, now }: Pick<FailureStreak, "givenUp"> & { policy: GatePolicy; now: Date },
): { what: string; detail: string; forMs: number } | undefined {
  const forMs = policy.unavailableMs;
  const exceedingMs = exceedingRetryAfterMs(outcome, { policy, now });
  if (exceedingMs !== undefined) {
    const [asked, most] = [exceedingMs, policy.retryAfterMaxMs].map((ms) => Math.round(ms / 1000));
    const detail = `it asks for a wait of ${asked} s (Retry-After), more than the longest permitted wait of ${most} s`;
    return { what: hostKey(url), detail, forMs: Math.min(exceedingMs, longestUnavailableMs) };
  }
  if (outcome.type === "failed" && unreachableFailures.has(outcome.reason)) {
    const detail = `it could not be reached (${outcome.reason}): ${outcome.detail}`;
    return { what: outcome.reason === "dns" ? hostKey(url) : url.origin, detail, forMs };
  }
  const isFailing = healthAfter(outcome) === "failing";
  if (!isFailing || givenUp < policy.unavailableAfterGivenUp) return undefined;
  const detail = `${givenUp} requests in a row had no usable answer; the last: ${describeUnusableExchange(outcome)}`;
  return { what: hostKey(url), detail, forMs };
}

function describeUnusableExchange(outcome: ExchangeOutcome): string {
  if (outcome.type !== "answered") return outcome.detail;
  const { status, bodyProblem } = outcome;
  return bodyProblem === undefined ? `status ${status}` : `status ${status}, ${bodyProblem.detail}`;
}

/** Returns the Retry-After of a 429 or 503, or of an unavailable transport; 0 when there is none. */
function requestedDelayMs(outcome: ExchangeOutcome, now: Date): number {
  if (outcome.type === "failed") return retryAfterMs(outcome.retryAfter, now);
  const mayHaveRetryAfter = outcome.type === "answered" && (outcome.status === 429 || outcome.status === 503);
  return mayHaveRetryAfter ? retryAfterMs(outcome.headers["retry-after"], now) : 0;
}

/**
 * Returns a Retry-After for which a host is given up.
 * @returns undefined when the Retry-After is obeyed
 */
function exceedingRetryAfterMs(
  outcome: ExchangeOutcome,
  { policy, now }: { policy: GatePolicy; now: Date },
): number | undefined {
  if (!policy.givesUpLongerRetryAfter) return undefined;
  const requestedMs = requestedDelayMs(outcome, now);
  return requestedMs > policy.retryAfterMaxMs ? requestedMs : undefined;
}

/** Converts a Retry-After, in seconds or as an HTTP date, to milliseconds; 0 when the value is absent or unreadable. */
function retryAfterMs(given: string | undefined, now: Date): number {
  const value = given?.trim();
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}

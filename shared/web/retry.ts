import type { ExchangeOutcome, FailureReason } from "./exchange.ts";
import type { GatePolicy } from "./gate-policy.ts";

/** What to do after an exchange. */
export type Retry = { type: "settled" } | { type: "again"; afterMs: number };

/** Transport failures that may pass, and that say that the host as a whole is not there. */
const passing: ReadonlySet<FailureReason> = new Set([
  "dns",
  "connect",
  "reset",
  "timeout",
  "translation-server",
]);
const hostWide: ReadonlySet<FailureReason> = new Set(["dns", "connect"]);

/** The statuses by which a host asks for patience. */
export function asksForPatience(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/**
 * Decides whether an exchange is tried again, and after how long: exponential back-off with jitter, at least the host's
 * own Retry-After; before the last try of a host that cannot be reached, at least `policy.lastTryAfterMs`.
 * @param attempts tries so far, this one included
 * @param random in [0, 1)
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function decideRetry(
  outcome: ExchangeOutcome,
  attempts: number,
  { policy, now, random }: { policy: GatePolicy; now: Date; random: number },
): Retry {
  const again =
    // What the translation server says of a page is final.
    (outcome.type === "answered" && outcome.translated === undefined && asksForPatience(outcome.status)) ||
    (outcome.type === "failed" && passing.has(outcome.reason));
  if (!again || attempts >= policy.attempts) return { type: "settled" };
  const full = Math.min(policy.backoffBaseMs * 2 ** (attempts - 1), policy.backoffMaxMs);
  const backoffMs = full * (0.75 + random / 2);
  const asked = outcome.type === "answered" ? retryAfterMs(outcome, now) : 0;
  const probed = isHostWide(outcome) && attempts === policy.attempts - 1 ? policy.lastTryAfterMs : 0;
  return {
    type: "again",
    afterMs: Math.ceil(Math.max(backoffMs, Math.min(asked, policy.retryAfterMaxMs), probed)),
  };
}

/** Whether a failure means that no other request to this host has a chance right now. */
export function isHostWide(outcome: ExchangeOutcome): boolean {
  return outcome.type === "failed" && hostWide.has(outcome.reason);
}

/** Retry-After of a 429 or 503 in milliseconds, from seconds or an HTTP date; 0 when absent or unreadable. */
export function retryAfterMs(answer: { status: number; headers: Record<string, string> }, now: Date): number {
  const value = answer.headers["retry-after"]?.trim();
  if (value === undefined || (answer.status !== 429 && answer.status !== 503)) return 0;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}

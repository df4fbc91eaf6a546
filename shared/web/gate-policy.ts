import { defaultLimits } from "./limits.ts";

/** How polite and how patient the gate is. */
export interface GatePolicy {
  /** Delay after a request whose source names none. */
  defaultDelayMs: number;
  /** Tries per request, the first included. */
  attempts: number;
  backoffBaseMs: number;
  backoffMaxMs: number;
  /** The longest Retry-After that is honoured in full. */
  retryAfterMaxMs: number;
  /** How long a host that could not be reached is left alone. */
  unreachableMs: number;
  /** The longest that one exchange may last. */
  exchangeMaxMs: number;
}

/** What a deployment sets, completed by what it leaves open. */
export function gatePolicy(
  set: Pick<GatePolicy, "defaultDelayMs" | "attempts" | "backoffBaseMs">,
): GatePolicy {
  return {
    backoffMaxMs: 300_000,
    retryAfterMaxMs: 3_600_000,
    unreachableMs: 600_000,
    exchangeMaxMs: defaultLimits.headersMs + defaultLimits.bodyMs,
    ...set,
  };
}

import { dayMs } from "../../core/day.ts";
import { maxThrottleMs } from "../request/request.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { type HostState, nextAllowedMs } from "./host-state.ts";
import { longestUnavailableMs } from "./retry-policy.ts";

/** The difference between the clocks of workers that is tolerated. */
const toleranceMs = 60_000;

/** The longest invocation of a function. The exchange of a lease may start as late as this. */
const invocationMaxMs = 900_000;

/**
 * Corrects the times of a host's state that are further in the future than a correct clock could have set them.
 * Otherwise, a single worker whose clock was ahead, for example by a year, would close the host for that time. A time
 * too far ahead becomes the longest legal wait from now. The corrected time is written back with the state, so that the
 * wait does not start again. A robots.txt with such a time is fetched again.
 * @returns the state itself when all times are legal; `corrected`: the names of the corrected times
 */
export function withLegalTimes(
  host: HostState,
  nowMs: number,
  policy: GatePolicy,
): { host: HostState; corrected: string[] } {
  const longest = longestWaits(policy);
  const corrected: string[] = [];
  const legal = (name: string, atMs: number, longestMs: number, elseMs = longestMs) => {
    if (atMs <= nowMs + longestMs + toleranceMs) return atMs;
    corrected.push(name);
    return nowMs + elseMs;
  };
  const { lastEndedAtMs, unavailable, lease, robots } = host;
  const fixed: HostState = {
    ...host,
    readyAtMs: legal("readyAtMs", host.readyAtMs, longest.delayMs),
    backoffUntilMs: legal("backoffUntilMs", host.backoffUntilMs, longest.backoffMs),
    ...(lastEndedAtMs !== undefined && { lastEndedAtMs: legal("lastEndedAtMs", lastEndedAtMs, 0) }),
    ...(lease && { lease: { ...lease, untilMs: legal("lease", lease.untilMs, longest.leaseMs) } }),
    ...(unavailable && {
      unavailable: mapValues(unavailable, (mark) => ({
        ...mark,
        untilMs: legal("unavailable", mark.untilMs, longest.unavailableMs),
      })),
    }),
    ...(robots && {
      robots: mapValues(robots, (each) =>
        each.known === undefined
          ? each
          : {
              ...each,
              known: {
                ...each.known,
                untilMs: legal("robots", each.known.untilMs, policy.robotsMaxAgeMs, 0),
              },
            },
      ),
    }),
  };
  return corrected.length === 0 ? { host, corrected } : { host: fixed, corrected };
}

/** Longer than any wait or lease, for callers that do not know the policy. */
const impossiblyFarMs = 7 * dayMs;

/** Decides whether a clock that was ahead has set times of a host, so that the host would seem busy for a long time. */
export function hasImpossibleTimes({ lease, ...host }: HostState, nowMs: number): boolean {
  return Math.max(nextAllowedMs(host, 0), lease?.untilMs ?? 0) > nowMs + impossiblyFarMs;
}

function longestWaits(policy: GatePolicy): {
  delayMs: number;
  backoffMs: number;
  leaseMs: number;
  unavailableMs: number;
} {
  const { defaultDelayMs, minDelayMs, crawlDelayMaxMs } = policy;
  const delayMs = Math.max(maxThrottleMs, defaultDelayMs, minDelayMs, crawlDelayMaxMs);
  // The jitter adds at most a quarter.
  const ownBackoffMs = Math.ceil(policy.backoffMaxMs * 1.25);
  return {
    delayMs,
    backoffMs: Math.max(policy.retryAfterMaxMs, ownBackoffMs, policy.lastAttemptMinDelayMs),
    unavailableMs: policy.givesUpLongerRetryAfter ? longestUnavailableMs : policy.unavailableMs,
    leaseMs: invocationMaxMs + Math.max(policy.exchangeMaxMs, policy.streamMaxMs) + delayMs,
  };
}

function mapValues<Value>(of: Record<string, Value>, change: (value: Value) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]));
}

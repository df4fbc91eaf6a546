import type { ExchangeOutcome } from "../../web/exchange/exchange.ts";
import type { GatePolicy } from "../../web/gate/gate-policy.ts";
import {
  decideRetry,
  type FailureStreak,
  failureStreakAfter,
  isPageFailure,
  type RetryDecision,
  unavailabilityAfter,
} from "../../web/gate/retry-policy.ts";

/** The request that an outcome belongs to. `attempts` counts the requests of this hop so far, including this one. */
interface Attempt {
  url: string;
  hostKey: string;
  attempts: number;
}

/**
 * The consequence of an outcome. A `retry` is made next. A `later` retry is made after the host's other links, at least
 * `afterMs` from now. For `backoffMs`, the host gets no requests.
 */
type NextAttempt =
  | { type: "final" | "retry"; backoffMs: number }
  | { type: "later"; backoffMs: number; afterMs: number };

/**
 * The number of consecutive pages that may fail without a back-off of their host, because a few broken pages do not
 * mean that the host is overloaded.
 */
const failingPagesWithoutBackoff = 3;

/**
 * The shortest wait before a failed page is requested again, for hosts without a delay. Each further wait is four times
 * as long.
 */
const pageRetryMinMs = 100;

/** The number of consecutive time-outs after which a host that has never answered counts as unavailable. */
const timeoutsOfSilentHost = 2;

/**
 * The failures of each host during one run. The gate's rules apply, and two more. First, a page that fails with 5xx,
 * 408, 421 or 425 is requested again after the other links of its host. Those links need not wait unless several pages
 * in a row fail. Second, a host that has never answered gets only two time-outs.
 */
export class HostHealth {
  private readonly policy: GatePolicy;
  /** Hosts and origins that get no requests until a given time, by host key or origin. */
  private readonly unavailable = new Map<string, { untilMs: number; detail: string }>();
  /** The failure streak of each host, by host key; a healthy host has no entry. */
  private readonly streaks = new Map<string, FailureStreak>();
  private readonly answering = new Set<string>();

  constructor(policy: GatePolicy) {
    this.policy = policy;
  }

  /** Returns why a URL may not be requested now, or undefined when it may be requested. */
  unavailableReason({ url, hostKey }: Pick<Attempt, "url" | "hostKey">, nowMs: number): string | undefined {
    if (this.unavailable.size === 0) return undefined;
    const marks = [this.unavailable.get(hostKey), this.unavailable.get(new URL(url).origin)];
    return marks.find((each) => each !== undefined && each.untilMs > nowMs)?.detail;
  }

  /**
   * Decides on the next attempt, and stores what the outcome shows about the host.
   * @param at.random in [0, 1)
   */
  next(attempt: Attempt, outcome: ExchangeOutcome, at: { now: Date; random: number }): NextAttempt {
    const { policy } = this;
    const { attempts, hostKey } = attempt;
    const streak = this.streaks.get(hostKey) ?? { failures: 0, givenUp: 0 };
    const retry = decideRetry(outcome, { attempts, ...streak }, { policy, ...at });
    if (outcome.type === "answered") this.answering.add(hostKey);
    if (retry.health === "healthy") {
      this.streaks.delete(hostKey);
      return { type: "final", backoffMs: retry.backoffMs };
    }
    if (isPageFailure(outcome)) return this.nextOfPage(attempt, outcome, { streak, retry, now: at.now });
    const after = failureStreakAfter(streak, retry);
    this.streaks.set(hostKey, after);
    if (this.isSilent(outcome, after, hostKey)) {
      this.mark(
        {
          what: hostKey,
          detail: `it has never answered, ${after.failures} times in a row`,
          forMs: policy.unavailableMs,
        },
        at.now,
      );
      return { type: "final", backoffMs: retry.backoffMs };
    }
    if (retry.type === "final")
      this.mark(this.unavailabilityAfter(attempt, outcome, { givenUp: after.givenUp, now: at.now }), at.now);
    return { type: retry.type, backoffMs: retry.backoffMs };
  }

  /** Decides on the next attempt of a page that has failed. Only the first attempt counts against the host. */
  private nextOfPage(
    attempt: Attempt,
    outcome: ExchangeOutcome,
    { streak, retry, now }: { streak: FailureStreak; retry: RetryDecision; now: Date },
  ): NextAttempt {
    const { maxAttempts, unavailableAfterGivenUp, defaultDelayMs } = this.policy;
    const { attempts, hostKey } = attempt;
    const isFirst = attempts === 1;
    const failures = isFirst ? streak.failures + 1 : streak.failures;
    this.streaks.set(hostKey, { ...streak, failures });
    const backoffMs = isFirst && failures > failingPagesWithoutBackoff ? retry.backoffMs : 0;
    if (failures >= unavailableAfterGivenUp) {
      this.mark(this.unavailabilityAfter(attempt, outcome, { givenUp: failures, now }), now);
      return { type: "final", backoffMs };
    }
    if (attempts >= maxAttempts) return { type: "final", backoffMs };
    return {
      type: "later",
      backoffMs,
      afterMs: Math.max(defaultDelayMs, pageRetryMinMs) * 4 ** (attempts - 1),
    };
  }

  private isSilent(outcome: ExchangeOutcome, { failures }: FailureStreak, hostKey: string): boolean {
    const isTimeout = outcome.type === "failed" && outcome.reason === "timeout";
    return isTimeout && failures >= timeoutsOfSilentHost && !this.answering.has(hostKey);
  }

  private unavailabilityAfter(
    { url }: Attempt,
    outcome: ExchangeOutcome,
    at: { givenUp: number; now: Date },
  ): Unavailability {
    return unavailabilityAfter(outcome, new URL(url), { ...at, policy: this.policy });
  }

  private mark(unavailability: Unavailability, now: Date): void {
    if (unavailability === undefined) return;
    const { what, detail, forMs } = unavailability;
    const untilMs = now.getTime() + forMs;
    this.unavailable.set(what, { untilMs, detail: `${what} is unavailable: ${detail}` });
  }
}

type Unavailability = ReturnType<typeof unavailabilityAfter>;

import { isInForce } from "../../core/lease.ts";
import { currentRobots, type KnownRobots } from "../robots/robots-state.ts";
import { type HostPause, type HostState, nextAllowedMs } from "./host-state.ts";
import { hasImpossibleTimes } from "./legal-times.ts";

/**
 * The causes that delay a host's requests now, as the API returns them. Times are ISO 8601; times in the past are
 * omitted.
 */
interface HostStatus {
  host: string;
  /** The end of the last request. */
  lastRequestAt?: string;
  /** The time at which the next request may be made. A request whose source sets a longer delay waits longer. */
  nextAllowedAt?: string;
  /**
   * The cause of `nextAllowedAt`: the delay after the last request, the back-off (including Retry-After), or a clock
   * that was ahead.
   */
  waitReason?: "delay" | "back-off" | "wrong-clock";
  /**
   * The number of consecutive exchanges that failed, and of consecutive requests that were given up because of the
   * host.
   */
  failures: number;
  givenUp: number;
  /** The host, or its origins, that count as unavailable. Requests to them fail with the reason. */
  unavailable: { what: string; until: string; reason: string }[];
  /** The last attempted exchange, if it is not settled. */
  pendingExchange?: { exchangeId: string; attempts: number; crashes: number };
  /** Set while an operator has paused the host. */
  paused?: HostPause;
  /** Set while a worker holds the lease on the host. */
  leasedUntil?: string;
  robots: RobotsStatus[];
}

/** The robots.txt of one origin. `unknown`: the gate fetches the file before the next request. */
interface RobotsStatus {
  origin: string;
  access: KnownRobots["access"] | "unknown";
  until?: string;
  fetchedAt?: string;
  /** The value in robots.txt, not clamped. */
  crawlDelayMs?: number;
  reason?: string;
}

export function describeHost(state: HostState, now: Date): HostStatus {
  const nowMs = now.getTime();
  const {
    hostKey,
    lastEndedAtMs,
    failures,
    givenUp,
    unavailable = {},
    pendingExchange,
    lease,
    robots = {},
    pause,
  } = state;
  const allowedMs = nextAllowedMs(state, 0);
  return {
    host: hostKey,
    ...(lastEndedAtMs !== undefined && { lastRequestAt: isoTime(lastEndedAtMs) }),
    ...(allowedMs > nowMs && {
      nextAllowedAt: isoTime(allowedMs),
      waitReason: whyWaiting(state, { allowedMs, nowMs }),
    }),
    failures,
    givenUp,
    unavailable: Object.entries(unavailable)
      .filter(([, { untilMs }]) => untilMs > nowMs)
      .map(([what, { untilMs, reason }]) => ({ what, until: isoTime(untilMs), reason })),
    ...(pendingExchange && {
      pendingExchange: {
        exchangeId: pendingExchange.exchangeId,
        attempts: pendingExchange.attempts,
        crashes: pendingExchange.crashes ?? 0,
      },
    }),
    ...(pause && { paused: pause }),
    ...(lease && isInForce(lease, nowMs) && { leasedUntil: isoTime(lease.untilMs) }),
    robots: Object.entries(robots).map(([origin, each]) =>
      describeRobots(origin, currentRobots(each, nowMs)),
    ),
  };
}

function whyWaiting(
  state: HostState,
  { allowedMs, nowMs }: { allowedMs: number; nowMs: number },
): NonNullable<HostStatus["waitReason"]> {
  if (hasImpossibleTimes(state, nowMs)) return "wrong-clock";
  return state.backoffUntilMs === allowedMs ? "back-off" : "delay";
}

function describeRobots(origin: string, known: KnownRobots | undefined): RobotsStatus {
  if (known === undefined) return { origin, access: "unknown" };
  const { access, untilMs, fetchedAtMs, crawlDelayMs, reason } = known;
  return {
    origin,
    access,
    until: isoTime(untilMs),
    ...(fetchedAtMs !== undefined && { fetchedAt: isoTime(fetchedAtMs) }),
    ...(crawlDelayMs !== undefined && { crawlDelayMs }),
    ...(reason !== undefined && { reason }),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

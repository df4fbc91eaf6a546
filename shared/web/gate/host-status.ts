import { isInForce } from "../../core/lease.ts";
import { currentRobots, type KnownRobots } from "../robots/robots-state.ts";
import { type HostPause, type HostState, nextAllowedMs } from "./host-state.ts";
import { hasImpossibleTimes } from "./legal-times.ts";

/** What delays a host's requests now, as the API shows it. Times are ISO 8601; past times are left out. */
interface HostStatus {
  host: string;
  /** When the last request ended. */
  lastRequestAt?: string;
  /** When the next request may be made. A request whose source sets a longer delay waits longer. */
  nextAllowedAt?: string;
  /**
   * The cause of `nextAllowedAt`: the delay after the last request, back-off, which includes Retry-After, or a clock
   * that was ahead.
   */
  waitReason?: "delay" | "back-off" | "wrong-clock";
  /** Exchanges in a row that failed, and requests in a row that were given up because of the host. */
  failures: number;
  givenUp: number;
  /** The host, or an origin of it, that counts as unavailable: requests to it fail with the reason. */
  unavailable: { what: string; until: string; reason: string }[];
  /** The exchange that was attempted last and is not settled. */
  pendingExchange?: { exchangeId: string; attempts: number; crashes: number };
  /** Set while an operator has paused the host. */
  paused?: HostPause;
  /** Set while a worker has the host. */
  leasedUntil?: string;
  robots: RobotsStatus[];
}

/** The robots.txt of one origin. `unknown`: the gate fetches it before the next request. */
interface RobotsStatus {
  origin: string;
  access: KnownRobots["access"] | "unknown";
  until?: string;
  fetchedAt?: string;
  /** As robots.txt says, not clamped. */
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

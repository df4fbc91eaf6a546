import { currentRobots, type KnownRobots } from "../robots/state.ts";
import { type HostState, nextAllowedMs } from "./host-state.ts";

/** What holds a host's requests up right now, for people. Times are ISO 8601; what is over is left out. */
export interface ToldHost {
  host: string;
  lastAskedAt?: string;
  /** When it may be asked again; a request whose source names a longer delay waits for that. */
  nextAllowedAt?: string;
  /** What `nextAllowedAt` is owed to: the delay after the last request, or the rest after trouble (Retry-After, back-off). */
  waitsFor?: "delay" | "back-off";
  /** Exchanges in a row after which it was in trouble, and requests in a row that were given up because of it. */
  failures: number;
  givenUp: number;
  /** The host, or an origin of it, that is left alone, and why: requests to it are answered with the reason. */
  leftAlone: { what: string; until: string; reason: string }[];
  /** The request that was tried last and is not settled yet. */
  trying?: { exchangeId: string; attempts: number; troubles: number };
  /** Set while a worker has the host. */
  isAskedUntil?: string;
  robots: ToldRobots[];
}

/** Of one origin. `unknown`: it is asked for before the next request. */
interface ToldRobots {
  origin: string;
  access: KnownRobots["access"] | "unknown";
  until?: string;
  fetchedAt?: string;
  /** As the host wants it. */
  crawlDelayMs?: number;
  reason?: string;
}

export function tellHost(state: HostState, now: Date): ToldHost {
  const nowMs = now.getTime();
  const { hostKey, endedAtMs, failures, givenUp, away = {}, head, lease, robots = {} } = state;
  const allowedMs = nextAllowedMs(state, 0);
  return {
    host: hostKey,
    ...(endedAtMs !== undefined && { lastAskedAt: told(endedAtMs) }),
    ...(allowedMs > nowMs && {
      nextAllowedAt: told(allowedMs),
      waitsFor: state.penaltyUntilMs === allowedMs ? "back-off" : "delay",
    }),
    failures,
    givenUp,
    leftAlone: Object.entries(away)
      .filter(([, { untilMs }]) => untilMs > nowMs)
      .map(([what, { untilMs, reason }]) => ({ what, until: told(untilMs), reason })),
    ...(head && {
      trying: { exchangeId: head.exchangeId, attempts: head.attempts, troubles: head.troubles ?? 0 },
    }),
    ...(lease && lease.untilMs > nowMs && { isAskedUntil: told(lease.untilMs) }),
    robots: Object.entries(robots).map(([origin, each]) => toldRobots(origin, currentRobots(each, nowMs))),
  };
}

function toldRobots(origin: string, known: KnownRobots | undefined): ToldRobots {
  if (known === undefined) return { origin, access: "unknown" };
  const { access, untilMs, fetchedAtMs, crawlDelayMs, reason } = known;
  return {
    origin,
    access,
    until: told(untilMs),
    ...(fetchedAtMs !== undefined && { fetchedAt: told(fetchedAtMs) }),
    ...(crawlDelayMs !== undefined && { crawlDelayMs }),
    ...(reason !== undefined && { reason }),
  };
}

function told(ms: number): string {
  return new Date(ms).toISOString();
}

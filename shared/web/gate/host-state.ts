import { isInForce, type Lease } from "../../core/lease.ts";
import type { InterimExchange } from "../request/response.ts";
import type { RobotsState } from "../robots/robots-state.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { addUp, type HostStatistics } from "./host-statistics.ts";
import { type FailureStreak, failureStreakAfter, type RetryDecision } from "./retry-policy.ts";

/**
 * The state of a host: one item per host key. The holder of the host's lease writes the state, guarded by `version`.
 */
export interface HostState extends FailureStreak {
  hostKey: string;
  /** The end of the last exchange plus its delay. All times here are in milliseconds since 1970. */
  readyAtMs: number;
  /** The end of the last exchange. The next request's own delay starts at this time, too. */
  lastEndedAtMs?: number;
  /** The end of a Retry-After, or of the back-off after errors. The later one of this time and `readyAtMs` applies. */
  backoffUntilMs: number;
  /** The last request of the host's group that was attempted and is not settled. */
  pendingExchange?: PendingExchange;
  /**
   * The unavailable parts of the host, by host key or origin. Requests to them get the reason instead of an exchange.
   */
  unavailable?: Record<string, { untilMs: number; reason: string }>;
  /** The number of consecutive times that the host's group found all slots of its transport taken. */
  slotWaits?: number;
  /**
   * The right of one worker to send requests to the host, with the worker's first request that is not settled. It is
   * part of the state, so that one conditional write per exchange saves both.
   */
  lease?: HostLeaseState;
  /** The robots.txt by origin: http and https have separate ones. */
  robots?: Record<string, RobotsState>;
  /** The last settled exchanges, newest first. They identify repeated messages. */
  settled: string[];
  /** The last messages sent to the dead-letter queue, newest first. A redriven message has a new id. */
  deadLettered?: string[];
  /** Counts that are not yet added to the statistics of the day (ISO 8601, UTC). */
  uncounted?: { day: string; numbers: HostStatistics };
  version: number;
  /** A pause set by an operator. It is stored in a separate item, which the gate reads and never writes. */
  pause?: HostPause;
}

/** The pause of a host. Requests of a paused host wait in the queue. */
export interface HostPause {
  /** ISO 8601, UTC. */
  since: string;
  /** The operator who paused the host. */
  by: string;
  reason: string;
}

/** Stores operators' pauses. The gate reads them with the host's state. */
export interface HostPauses {
  set(hostKey: string, pause: HostPause): Promise<void>;
  clear(hostKey: string): Promise<void>;
  /** Returns the paused hosts, the most recently paused first. */
  list(limit: number): Promise<PausedHost[]>;
}

export interface PausedHost extends HostPause {
  hostKey: string;
}

interface HostLeaseState extends Pick<Lease, "holder" | "untilMs"> {
  /** The delay after the exchanges under the lease. */
  delayMs: number;
  exchangeId?: string;
}

interface PendingExchange {
  exchangeId: string;
  /** The number of exchanges without a proper response. */
  attempts: number;
  /** The number of attempts that failed because of Ingather: an error, or the death of the process. */
  crashes?: number;
  /** The number of its attempts that ended because AWS failed. */
  outages?: number;
  /** The captured exchanges whose responses were sent before that of the last exchange. */
  interims?: InterimExchange[];
}

/**
 * Enough to recognise the messages of two redelivered batches. Each entry takes 19 bytes, and the whole item should fit
 * into 1 KiB.
 */
const settledKept = 20;

export function newHost(hostKey: string): HostState {
  return { hostKey, readyAtMs: 0, backoffUntilMs: 0, failures: 0, givenUp: 0, settled: [], version: 0 };
}

/** Returns the time at which the next request may start. @param delayMs the delay of that request */
export function nextAllowedMs(host: HostState, delayMs: number): number {
  // The first request to a host does not need a delay.
  const restedAtMs = host.lastEndedAtMs === undefined || delayMs === 0 ? 0 : host.lastEndedAtMs + delayMs;
  return Math.max(host.readyAtMs, host.backoffUntilMs, restedAtMs);
}

/** The number of requests whose statistics may wait in the state of their host. */
const uncountedKept = 20;

/**
 * Returns the host's state with statistics that wait there until there are more, because the state is written anyway.
 * @returns undefined when enough requests are counted, or when the waiting statistics are of another day
 */
export function postponeStatistics(
  host: HostState,
  { day, numbers }: { day: string; numbers: HostStatistics },
): HostState | undefined {
  if (host.uncounted !== undefined && host.uncounted.day !== day) return undefined;
  const sum = addUp(host.uncounted?.numbers ?? {}, numbers);
  return (sum.requests ?? 0) >= uncountedKept ? undefined : { ...host, uncounted: { day, numbers: sum } };
}

export function withoutUncounted({ uncounted: _counted, ...host }: HostState): HostState {
  return host;
}

/** Returns the host's state after the outcome of an exchange is stored. */
export function markSettled(host: HostState, exchangeId: string): HostState {
  const settled = [exchangeId, ...host.settled].slice(0, settledKept);
  return { ...withoutPendingExchange(host, exchangeId), settled };
}

/**
 * Returns the host's state after a message went to the dead-letter queue. If the message is redriven, its exchange
 * starts from the beginning.
 */
export function markDeadLettered(host: HostState, exchangeId: string, messageId: string): HostState {
  const deadLettered = [messageId, ...(host.deadLettered ?? [])].slice(0, settledKept);
  return { ...withoutPendingExchange(host, exchangeId), deadLettered };
}

function withoutPendingExchange(host: HostState, exchangeId: string): HostState {
  const { pendingExchange, ...rest } = host;
  return {
    ...rest,
    ...(pendingExchange && pendingExchange.exchangeId !== exchangeId && { pendingExchange }),
  };
}

/**
 * Returns the consecutive failures of a host. Requests that were given up long ago, without an exchange since, do not
 * count. A host that is requested every few hours therefore gets all attempts each time.
 */
export function failureStreakOf(host: HostState, now: Date, { unavailableMs }: GatePolicy): FailureStreak {
  const { failures, givenUp, backoffUntilMs } = host;
  return { failures, givenUp: now.getTime() > backoffUntilMs + unavailableMs ? 0 : givenUp };
}

/** Returns the host's state after an exchange, with its failures and its back-off. */
export function recordHealth(
  host: HostState,
  retry: RetryDecision,
  { streak, now }: { streak: FailureStreak; now: Date },
): HostState {
  const { health, backoffMs } = retry;
  const backoffUntilMs = Math.max(host.backoffUntilMs, backoffMs > 0 ? now.getTime() + backoffMs : 0);
  const known = { ...host, backoffUntilMs, ...failureStreakAfter(streak, retry) };
  return health === "healthy" ? withoutHostMark(known) : known;
}

/**
 * Returns the host's state without the mark of an unavailable host. A robots.txt is fetched even from an unavailable
 * host, so a proper response shows that the host is available again. Its origins may still be unavailable.
 */
function withoutHostMark(host: HostState): HostState {
  if (host.unavailable?.[host.hostKey] === undefined) return host;
  const { [host.hostKey]: _over, ...unavailable } = host.unavailable;
  return { ...host, unavailable };
}

/**
 * Returns the host's state after the host, or one of its origins, has become unavailable. For some time, requests to it
 * get the reason instead of an exchange.
 */
export function markUnavailable(
  host: HostState,
  now: Date,
  { what, forMs, detail }: { what: string; forMs: number; detail: string },
): HostState {
  const nowMs = now.getTime();
  const still = Object.entries(host.unavailable ?? {}).filter(([, { untilMs }]) => untilMs > nowMs);
  const reason = `${what} is unavailable since ${now.toISOString()}: ${detail}`;
  return {
    ...host,
    unavailable: { ...Object.fromEntries(still), [what]: { untilMs: nowMs + forMs, reason } },
  };
}

/**
 * Returns the reason why a URL of the host is unavailable now.
 * @returns undefined when the URL is available
 */
export function unavailableReason(
  { hostKey, unavailable = {} }: HostState,
  url: URL,
  now: Date,
): string | undefined {
  const marks = [unavailable[hostKey], unavailable[url.origin]];
  return marks.find((mark) => mark !== undefined && mark.untilMs > now.getTime())?.reason;
}

/** Returns the host's state after its group found no free slot of its transport. */
export function countSlotWait(host: HostState): HostState {
  return { ...host, slotWaits: (host.slotWaits ?? 0) + 1 };
}

/** Returns the host's state after its group got a slot. */
export function withoutSlotWaits(host: HostState): HostState {
  const { slotWaits: _over, ...rest } = host;
  return rest;
}

/** Returns the attempts of an exchange so far. */
export function pendingExchangeOf(host: HostState, exchangeId: string): Required<PendingExchange> {
  const {
    attempts = 0,
    crashes = 0,
    outages = 0,
    interims = [],
  } = host.pendingExchange?.exchangeId === exchangeId ? host.pendingExchange : {};
  return { exchangeId, attempts, crashes, outages, interims };
}

export function addInterim(host: HostState, exchangeId: string, interim: InterimExchange): HostState {
  const pending = pendingExchangeOf(host, exchangeId);
  return { ...host, pendingExchange: { ...pending, interims: [...pending.interims, interim] } };
}

export function countAttempt(host: HostState, exchangeId: string): HostState {
  const pending = pendingExchangeOf(host, exchangeId);
  return { ...host, pendingExchange: { ...pending, attempts: pending.attempts + 1 } };
}

export function countCrash(host: HostState, exchangeId: string): HostState {
  const pending = pendingExchangeOf(host, exchangeId);
  return { ...host, pendingExchange: { ...pending, crashes: pending.crashes + 1 } };
}

export function countOutage(host: HostState, exchangeId: string): HostState {
  const pending = pendingExchangeOf(host, exchangeId);
  return { ...host, pendingExchange: { ...pending, outages: pending.outages + 1 } };
}

/**
 * Returns the host's state without an expired lease. The holder of an expired lease died during its exchange, which
 * counts as a crash.
 */
export function withoutExpiredLease(host: HostState, nowMs: number): HostState {
  const { lease, ...rest } = host;
  if (lease === undefined || isInForce(lease, nowMs)) return host;
  return lease.exchangeId === undefined ? rest : countCrash(rest, lease.exchangeId);
}

/**
 * Returns the host's state after all processes have ended. A lease in it shows that a worker was killed. The time at
 * which that worker's exchange ended is unknown, so the exchange counts as ended now.
 */
export function withoutKilledLease(host: HostState, nowMs: number): HostState {
  const { lease, ...rest } = host;
  if (lease === undefined) return host;
  return { ...rest, lastEndedAtMs: nowMs, readyAtMs: Math.max(host.readyAtMs, nowMs + lease.delayMs) };
}

/** Lists the unavailable hosts; those that remain unavailable for the longest time come first. */
export type ListUnavailableHosts = (now: Date, limit: number) => Promise<UnavailableHost[]>;

/** A host, or one of its origins, that is currently not requested. */
export interface UnavailableHost {
  hostKey: string;
  what: string;
  until: string;
  reason: string;
}

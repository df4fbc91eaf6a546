import { isInForce, type Lease } from "../../core/lease.ts";
import type { InterimExchange } from "../request/response.ts";
import type { RobotsState } from "../robots/robots-state.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { addUp, type HostStatistics } from "./host-statistics.ts";
import { type FailureStreak, failureStreakAfter, type RetryDecision } from "./retry-policy.ts";

/** The state of a host: one item per host key. The holder of its lease writes it, guarded by `version`. */
export interface HostState extends FailureStreak {
  hostKey: string;
  /** The end of the last exchange plus its delay. Milliseconds since 1970, as all times here. */
  readyAtMs: number;
  /** The end of the last exchange. The next request's own delay counts from it, too. */
  lastEndedAtMs?: number;
  /** The end of a Retry-After, or of the back-off after errors. The later of this and `readyAtMs` counts. */
  backoffUntilMs: number;
  /** The last request of the host's group that was tried and is not settled. */
  pendingExchange?: PendingExchange;
  /** The host key, or origins, that are unavailable: requests get the reason instead of an exchange. */
  unavailable?: Record<string, { untilMs: number; reason: string }>;
  /** How often in a row the host's group found all slots of its transport taken. */
  slotWaits?: number;
  /**
   * The right of one worker to send requests to the host, and its first request that is not settled. It is part of the
   * state, so that one conditional write per exchange saves both.
   */
  lease?: HostLeaseState;
  /** The robots.txt by origin: http and https have one each. */
  robots?: Record<string, RobotsState>;
  /** The last settled exchanges, newest first, which identify a repeated message. */
  settled: string[];
  /** The last messages sent to the dead-letter queue, newest first. A redrive gives a message another id. */
  deadLettered?: string[];
  /** Counted, and not yet added to the statistics of the day (ISO 8601, UTC). */
  uncounted?: { day: string; numbers: HostStatistics };
  version: number;
  /** Set by an operator, in an item of its own that the gate reads and never writes. */
  pause?: HostPause;
}

/** Requests of a paused host wait in the queue. */
export interface HostPause {
  /** ISO 8601, UTC. */
  since: string;
  /** The operator. */
  by: string;
  reason: string;
}

/** Where operators' pauses are written; the gate reads them with the host's state. */
export interface HostPauses {
  set(hostKey: string, pause: HostPause): Promise<void>;
  clear(hostKey: string): Promise<void>;
  /** The paused hosts, the last paused first. */
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
  /** Exchanges without a proper response. */
  attempts: number;
  /** Tries that failed on our side: an error, or the death of the process. */
  crashes?: number;
  /** Captured exchanges whose responses were sent before that of the last one. */
  interims?: InterimExchange[];
}

/** Enough to recognise the messages of two redelivered batches. Each takes 19 bytes of an item that should fit into 1 KiB. */
const settledKept = 20;

export function newHost(hostKey: string): HostState {
  return { hostKey, readyAtMs: 0, backoffUntilMs: 0, failures: 0, givenUp: 0, settled: [], version: 0 };
}

/** When the next request may start; its own delay is `delayMs`. */
export function nextAllowedMs(host: HostState, delayMs: number): number {
  // The first request to a host needs no delay.
  const restedAtMs = host.lastEndedAtMs === undefined || delayMs === 0 ? 0 : host.lastEndedAtMs + delayMs;
  return Math.max(host.readyAtMs, host.backoffUntilMs, restedAtMs);
}

/** Requests whose statistics may wait in the state of their host. */
const uncountedKept = 20;

/**
 * The host's state with statistics that wait there until more come, as the state is written anyway; undefined when they are
 * many enough, or of another day than those that wait.
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

/** The host's state when the outcome of an exchange is stored. */
export function markSettled(host: HostState, exchangeId: string): HostState {
  const settled = [exchangeId, ...host.settled].slice(0, settledKept);
  return { ...withoutPendingExchange(host, exchangeId), settled };
}

/**
 * The host's state after a message went to the dead-letter queue: after a redrive, its exchange starts from the
 * beginning.
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
 * The failures of a host in a row. Requests given up long ago, without an exchange since, do not count: a host that
 * is requested every few hours gets all attempts each time.
 */
export function failureStreakOf(host: HostState, now: Date, { unavailableMs }: GatePolicy): FailureStreak {
  const { failures, givenUp, backoffUntilMs } = host;
  return { failures, givenUp: now.getTime() > backoffUntilMs + unavailableMs ? 0 : givenUp };
}

/** The host's state after an exchange: its failures and its back-off. */
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
 * A robots.txt is fetched from an unavailable host, too: a proper response shows that the host is back; its origins may
 * not be.
 */
function withoutHostMark(host: HostState): HostState {
  if (host.unavailable?.[host.hostKey] === undefined) return host;
  const { [host.hostKey]: _over, ...unavailable } = host.unavailable;
  return { ...host, unavailable };
}

/** The host's state when it, or an origin of it, is unavailable: for a while, requests to it get the reason. */
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

/** Why a URL of the host is unavailable now; `undefined` when it is available. */
export function unavailableReason(
  { hostKey, unavailable = {} }: HostState,
  url: URL,
  now: Date,
): string | undefined {
  const marks = [unavailable[hostKey], unavailable[url.origin]];
  return marks.find((mark) => mark !== undefined && mark.untilMs > now.getTime())?.reason;
}

/** The host's state after its group found no slot of its transport. */
export function countSlotWait(host: HostState): HostState {
  return { ...host, slotWaits: (host.slotWaits ?? 0) + 1 };
}

/** The host's state after its group got a slot. */
export function withoutSlotWaits(host: HostState): HostState {
  const { slotWaits: _over, ...rest } = host;
  return rest;
}

/** The tries of an exchange so far. */
export function pendingExchangeOf(host: HostState, exchangeId: string): Required<PendingExchange> {
  const {
    attempts = 0,
    crashes = 0,
    interims = [],
  } = host.pendingExchange?.exchangeId === exchangeId ? host.pendingExchange : {};
  return { exchangeId, attempts, crashes, interims };
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

/** The host's state without a lease that has run out: its holder died during the exchange, which counts as a crash. */
export function withoutExpiredLease(host: HostState, nowMs: number): HostState {
  const { lease, ...rest } = host;
  if (lease === undefined || isInForce(lease, nowMs)) return host;
  return lease.exchangeId === undefined ? rest : countCrash(rest, lease.exchangeId);
}

/**
 * The host's state after the end of all processes, in which a lease shows that a worker was killed. The time at which its
 * exchange ended is unknown, so that counts as ended now.
 */
export function withoutKilledLease(host: HostState, nowMs: number): HostState {
  const { lease, ...rest } = host;
  if (lease === undefined) return host;
  return { ...rest, lastEndedAtMs: nowMs, readyAtMs: Math.max(host.readyAtMs, nowMs + lease.delayMs) };
}

/** The unavailable ones, the longest first. */
export type ListUnavailableHosts = (now: Date, limit: number) => Promise<UnavailableHost[]>;

/** A host, or an origin of it, that is not requested for now. */
export interface UnavailableHost {
  hostKey: string;
  what: string;
  until: string;
  reason: string;
}

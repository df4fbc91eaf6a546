import { isInForce, type Lease } from "../../core/lease.ts";
import type { RobotsState } from "../robots/robots-state.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { type FailureStreak, failureStreakAfter, type RetryDecision } from "./retry-policy.ts";

/**
 * What we know of a host, and the decisions that follow from it. One item per host key; written by the one holder of the
 * host's message group, guarded by `version`.
 */
export interface HostState extends FailureStreak {
  hostKey: string;
  /** The clock of politeness: the end of the last exchange plus its delay. Milliseconds since 1970, as all times here. */
  readyAtMs: number;
  /** When the last exchange ended: the next request's own delay counts from there too. */
  lastEndedAtMs?: number;
  /** The clock of penalty: Retry-After, and back-off after errors. The later of the two clocks counts. */
  backoffUntilMs: number;
  /** The request of the host's line that was tried last and is not yet settled. */
  pendingExchange?: PendingExchange;
  /** What is of no use, the host key or an origin: requests are answered with the reason instead of tried. */
  unavailable?: Record<string, { untilMs: number; reason: string }>;
  /** How often in a row the host's line has found all places at the translation server taken. */
  slotWaits?: number;
  /**
   * The right of one worker to send requests to the host, and its first request that is not settled. It is part of the state,
   * so that one conditional write per exchange saves both.
   */
  lease?: HostLeaseState;
  /** What its robots.txt says, by origin: http and https have one each. */
  robots?: Record<string, RobotsState>;
  /** The exchanges settled last, newest first: a repeated message is recognised by them. */
  settled: string[];
  /** The messages put aside last, newest first. What is sent again from the dead-letter queue is another message. */
  deadLettered?: string[];
  version: number;
}

export interface HostLeaseState extends Pick<Lease, "holder" | "untilMs"> {
  exchangeId?: string;
}

export interface PendingExchange {
  exchangeId: string;
  /** Exchanges that the host did not answer as it should. */
  attempts: number;
  /** Tries that broke on our side: an error, or the end of the process. */
  crashes?: number;
}

/** Enough to recognise what a redelivered batch, or two, brings again. */
const settledKept = 40;

export function newHost(hostKey: string): HostState {
  return { hostKey, readyAtMs: 0, backoffUntilMs: 0, failures: 0, givenUp: 0, settled: [], version: 0 };
}

/** When the next request may start, whose own delay is `delayMs`. */
export function nextAllowedMs(host: HostState, delayMs: number): number {
  // A host that was never asked is owed no delay.
  const restedAtMs = host.lastEndedAtMs === undefined ? 0 : host.lastEndedAtMs + delayMs;
  return Math.max(host.readyAtMs, host.backoffUntilMs, restedAtMs);
}

/** The host's state when the outcome of an exchange is stored. */
export function markSettled(host: HostState, exchangeId: string): HostState {
  const settled = [exchangeId, ...host.settled].slice(0, settledKept);
  return { ...withoutPendingExchange(host, exchangeId), settled };
}

/** The host's state when a message has been put aside: sent again, its exchange begins anew. */
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
 * How a host has fared. What was given up long ago, with nothing asked since, is not in a row with what comes now: a host
 * that is asked every few hours gets all its tries each time.
 */
export function failureStreakOf(host: HostState, now: Date, { unavailableMs }: GatePolicy): FailureStreak {
  const { failures, givenUp, backoffUntilMs } = host;
  return { failures, givenUp: now.getTime() > backoffUntilMs + unavailableMs ? 0 : givenUp };
}

/** The host's state after an exchange: its standing, and until when it has to be left alone. */
export function recordHealth(
  host: HostState,
  retry: RetryDecision,
  { trouble: streak, now }: { trouble: FailureStreak; now: Date },
): HostState {
  const { health, backoffMs } = retry;
  const backoffUntilMs = Math.max(host.backoffUntilMs, backoffMs > 0 ? now.getTime() + backoffMs : 0);
  const known = { ...host, backoffUntilMs, ...failureStreakAfter(streak, retry) };
  return health === "healthy" ? withoutHostMark(known) : known;
}

/** An answer to somebody who has asked all the same, for a robots.txt: the host is back, whatever is with its origins. */
function withoutHostMark(host: HostState): HostState {
  if (host.unavailable?.[host.hostKey] === undefined) return host;
  const { [host.hostKey]: _over, ...unavailable } = host.unavailable;
  return { ...host, unavailable };
}

/** The host's state when it or an origin of it is of no use: what is asked there for a while gets the reason. */
export function markUnavailable(
  host: HostState,
  now: Date,
  { what, forMs, detail }: { what: string; forMs: number; detail: string },
): HostState {
  const nowMs = now.getTime();
  const still = Object.entries(host.unavailable ?? {}).filter(([, { untilMs }]) => untilMs > nowMs);
  const reason = `${what} is left alone since ${now.toISOString()}: ${detail}`;
  return {
    ...host,
    unavailable: { ...Object.fromEntries(still), [what]: { untilMs: nowMs + forMs, reason } },
  };
}

/** Why a URL of the host need not be asked now; `undefined` when it may be. */
export function unavailableReason(
  { hostKey, unavailable = {} }: HostState,
  url: URL,
  now: Date,
): string | undefined {
  const marks = [unavailable[hostKey], unavailable[url.origin]];
  return marks.find((mark) => mark !== undefined && mark.untilMs > now.getTime())?.reason;
}

/** The host's state when its line has found no place at the translation server. */
export function countSlotWait(host: HostState): HostState {
  return { ...host, slotWaits: (host.slotWaits ?? 0) + 1 };
}

/** The host's state when its line has got a place. */
export function withoutSlotWaits(host: HostState): HostState {
  const { slotWaits: _over, ...rest } = host;
  return rest;
}

/** What has been tried for an exchange so far. */
export function pendingExchangeOf(host: HostState, exchangeId: string): Required<PendingExchange> {
  const { attempts = 0, crashes = 0 } =
    host.pendingExchange?.exchangeId === exchangeId ? host.pendingExchange : {};
  return { exchangeId, attempts, crashes };
}

export function countAttempt(host: HostState, exchangeId: string): HostState {
  const tries = pendingExchangeOf(host, exchangeId);
  return { ...host, pendingExchange: { ...tries, attempts: tries.attempts + 1 } };
}

export function countCrash(host: HostState, exchangeId: string): HostState {
  const tries = pendingExchangeOf(host, exchangeId);
  return { ...host, pendingExchange: { ...tries, crashes: tries.crashes + 1 } };
}

/** The host's state without a lease that has run out: who held it has died over the exchange, which is counted. */
export function withoutExpiredLease(host: HostState, nowMs: number): HostState {
  const { lease, ...rest } = host;
  if (lease === undefined || isInForce(lease, nowMs)) return host;
  return lease.exchangeId === undefined ? rest : countCrash(rest, lease.exchangeId);
}

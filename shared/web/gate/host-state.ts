import type { RobotsState } from "../robots/state.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { type Retry, type Trouble, troubleAfter } from "./retry.ts";

/**
 * What we know of a host, and the decisions that follow from it. One item per host key; written by the one holder of the
 * host's message group, guarded by `version`.
 */
export interface HostState extends Trouble {
  hostKey: string;
  /** The clock of politeness: the end of the last exchange plus its delay. Milliseconds since 1970, as all times here. */
  readyAtMs: number;
  /** When the last exchange ended: the next request's own delay counts from there too. */
  endedAtMs?: number;
  /** The clock of penalty: Retry-After, and back-off after errors. The later of the two clocks counts. */
  penaltyUntilMs: number;
  /** The request of the host's line that was tried last and is not yet settled. */
  head?: HeadOfLine;
  /** What is of no use, the host key or an origin: requests are answered with the reason instead of tried. */
  away?: Record<string, { untilMs: number; reason: string }>;
  /** How often in a row the host's line has found all places at the translation server taken. */
  placeWaits?: number;
  /** Who asks the host right now, its first request that is not settled, and until when it is to be left alone at the latest. */
  lease?: { holder: string; untilMs: number; exchangeId?: string };
  /** What its robots.txt says, by origin: http and https have one each. */
  robots?: Record<string, RobotsState>;
  /** The exchanges settled last, newest first: a repeated message is recognised by them. */
  settled: string[];
  /** The messages put aside last, newest first. What is sent again from the dead-letter queue is another message. */
  aside?: string[];
  version: number;
}

export interface HeadOfLine {
  exchangeId: string;
  /** Exchanges that the host did not answer as it should. */
  attempts: number;
  /** Tries that broke on our side: an error, or the end of the process. */
  troubles?: number;
}

/** Enough to recognise what a redelivered batch, or two, brings again. */
const settledKept = 40;

export function newHost(hostKey: string): HostState {
  return { hostKey, readyAtMs: 0, penaltyUntilMs: 0, failures: 0, givenUp: 0, settled: [], version: 0 };
}

/** When the next request may start, whose own delay is `delayMs`. */
export function nextAllowedMs(host: HostState, delayMs: number): number {
  // A host that was never asked is owed no delay.
  const restedAtMs = host.endedAtMs === undefined ? 0 : host.endedAtMs + delayMs;
  return Math.max(host.readyAtMs, host.penaltyUntilMs, restedAtMs);
}

/** The host's state when the outcome of an exchange is stored. */
export function settle(host: HostState, exchangeId: string): HostState {
  const settled = [exchangeId, ...host.settled].slice(0, settledKept);
  return { ...withoutTries(host, exchangeId), settled };
}

/** The host's state when a message has been put aside: sent again, its exchange begins anew. */
export function noteAside(host: HostState, exchangeId: string, messageId: string): HostState {
  const aside = [messageId, ...(host.aside ?? [])].slice(0, settledKept);
  return { ...withoutTries(host, exchangeId), aside };
}

function withoutTries(host: HostState, exchangeId: string): HostState {
  const { head, ...rest } = host;
  return { ...rest, ...(head && head.exchangeId !== exchangeId && { head }) };
}

/**
 * How a host has fared. What was given up long ago, with nothing asked since, is not in a row with what comes now: a host
 * that is asked every few hours gets all its tries each time.
 */
export function troubleOf(host: HostState, now: Date, { unreachableMs }: GatePolicy): Trouble {
  const { failures, givenUp, penaltyUntilMs } = host;
  return { failures, givenUp: now.getTime() > penaltyUntilMs + unreachableMs ? 0 : givenUp };
}

/** The host's state after an exchange: its standing, and until when it has to be left alone. */
export function noteStanding(
  host: HostState,
  retry: Retry,
  { trouble, now }: { trouble: Trouble; now: Date },
): HostState {
  const { standing, afterMs } = retry;
  const penaltyUntilMs = Math.max(host.penaltyUntilMs, afterMs > 0 ? now.getTime() + afterMs : 0);
  const known = { ...host, penaltyUntilMs, ...troubleAfter(trouble, retry) };
  return standing === "well" ? withoutMark(known) : known;
}

/** An answer to somebody who has asked all the same, for a robots.txt: the host is back, whatever is with its origins. */
function withoutMark(host: HostState): HostState {
  if (host.away?.[host.hostKey] === undefined) return host;
  const { [host.hostKey]: _over, ...away } = host.away;
  return { ...host, away };
}

/** The host's state when it or an origin of it is of no use: what is asked there for a while gets the reason. */
export function markAway(
  host: HostState,
  now: Date,
  { what, forMs, detail }: { what: string; forMs: number; detail: string },
): HostState {
  const nowMs = now.getTime();
  const still = Object.entries(host.away ?? {}).filter(([, { untilMs }]) => untilMs > nowMs);
  const reason = `${what} is left alone since ${now.toISOString()}: ${detail}`;
  return { ...host, away: { ...Object.fromEntries(still), [what]: { untilMs: nowMs + forMs, reason } } };
}

/** Why a URL of the host need not be asked now; `undefined` when it may be. */
export function awayReason({ hostKey, away = {} }: HostState, url: URL, now: Date): string | undefined {
  const marks = [away[hostKey], away[url.origin]];
  return marks.find((mark) => mark !== undefined && mark.untilMs > now.getTime())?.reason;
}

/** The host's state when its line has found no place at the translation server. */
export function countPlaceWait(host: HostState): HostState {
  return { ...host, placeWaits: (host.placeWaits ?? 0) + 1 };
}

/** The host's state when its line has got a place. */
export function withoutPlaceWaits(host: HostState): HostState {
  const { placeWaits: _over, ...rest } = host;
  return rest;
}

/** What has been tried for an exchange so far. */
export function triesOf(host: HostState, exchangeId: string): Required<HeadOfLine> {
  const { attempts = 0, troubles = 0 } = host.head?.exchangeId === exchangeId ? host.head : {};
  return { exchangeId, attempts, troubles };
}

export function countAttempt(host: HostState, exchangeId: string): HostState {
  const tries = triesOf(host, exchangeId);
  return { ...host, head: { ...tries, attempts: tries.attempts + 1 } };
}

export function countTrouble(host: HostState, exchangeId: string): HostState {
  const tries = triesOf(host, exchangeId);
  return { ...host, head: { ...tries, troubles: tries.troubles + 1 } };
}

/** The host's state without a lease that has run out: who held it has died over the exchange, which is counted. */
export function withoutDeadLease(host: HostState, nowMs: number): HostState {
  const { lease, ...rest } = host;
  if (lease === undefined || lease.untilMs > nowMs) return host;
  return lease.exchangeId === undefined ? rest : countTrouble(rest, lease.exchangeId);
}

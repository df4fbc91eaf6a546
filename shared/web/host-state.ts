/**
 * What we know of a host, and the decisions that follow from it. One item per host key; written by the one holder of the
 * host's message group, guarded by `version`.
 */
export interface HostState {
  hostKey: string;
  /** The clock of politeness: the end of the last exchange plus its delay. Milliseconds since 1970, as all times here. */
  readyAtMs: number;
  /** The clock of penalty: Retry-After, and back-off after errors. The later of the two clocks counts. */
  penaltyUntilMs: number;
  /** Exchanges in a row that asked us to come back later, or failed. */
  failures: number;
  /** The request at the head of the host's line that has been tried and not yet settled. */
  head?: { exchangeId: string; attempts: number };
  /** Set while the host cannot be reached: requests are answered with the reason instead of tried. */
  unreachable?: { untilMs: number; reason: string };
  /** Who asks the host right now, and until when at the latest. */
  lease?: { holder: string; untilMs: number };
  /** The exchanges settled last, newest first: a repeated message is recognised by them. */
  settled: string[];
  version: number;
}

/** Enough to recognise what a redelivered batch, or two, brings again. */
const settledKept = 40;

export function newHost(hostKey: string): HostState {
  return { hostKey, readyAtMs: 0, penaltyUntilMs: 0, failures: 0, settled: [], version: 0 };
}

/** When the next request may start. */
export function nextAllowedMs(host: HostState): number {
  return Math.max(host.readyAtMs, host.penaltyUntilMs);
}

/** The host's state when an exchange is settled: nothing more will be asked for it. */
export function settle(host: HostState, exchangeId: string, end: { readyAtMs: number }): HostState {
  const { head: _tried, unreachable: _was, ...rest } = host;
  return {
    ...rest,
    readyAtMs: end.readyAtMs,
    failures: 0,
    settled: [exchangeId, ...host.settled].slice(0, settledKept),
  };
}

/** The host's state when an exchange has to be tried again: the penalty clock is set, one more attempt is counted. */
export function penalise(
  host: HostState,
  exchangeId: string,
  penalty: { readyAtMs: number; penaltyUntilMs: number },
): HostState {
  return {
    ...host,
    readyAtMs: penalty.readyAtMs,
    penaltyUntilMs: Math.max(host.penaltyUntilMs, penalty.penaltyUntilMs),
    failures: host.failures + 1,
    head: { exchangeId, attempts: attemptsOf(host, exchangeId) + 1 },
  };
}

/** How often an exchange has been tried so far. */
export function attemptsOf(host: HostState, exchangeId: string): number {
  return host.head?.exchangeId === exchangeId ? host.head.attempts : 0;
}

import { isInForce } from "../../core/lease.ts";
import { type HostState, nextAllowedMs } from "./host-state.ts";
import { hasImpossibleTimes } from "./legal-times.ts";

/**
 * The time after which the group of a host counts as empty if no worker holds the host's lease. While the group has
 * further messages, the gate requests the next one and takes the lease as soon as the host's delay is over. The grace
 * time is longer than a message takes through the queue.
 */
const graceMs = 2000;

/**
 * The interval at which a host is checked while a worker holds it. The next constant is the interval while the last
 * admitted request has not been sent.
 */
const busyWaitMs = 30_000;
const sentWaitMs = 5000;

/**
 * The gate has refused an admitted request if no exchange follows within this time. The next request may then be
 * admitted.
 */
const refusedAfterMs = 60_000;

/**
 * Returns how long a low-priority request waits for its host; 0 when the host is idle. A host is idle when no worker
 * holds it, its delay and back-off are over, its group has no message, and the last admitted request is done.
 */
export function idleWaitMs(host: HostState, admittedAtMs: number | undefined, nowMs: number): number {
  // The gate corrects times that a wrong clock has set, but only when it gets a request.
  if (hasImpossibleTimes(host, nowMs)) return 0;
  // The worker that holds the host may be sending the last admitted request, which takes seconds.
  if (isPending(host, admittedAtMs, nowMs)) return sentWaitMs;
  if (host.lease !== undefined && isInForce(host.lease, nowMs)) return busyWaitMs;
  return Math.max(0, nextAllowedMs(host, 0) + graceMs - nowMs);
}

/**
 * Returns how long a request waits that has already waited for its host to become idle for too long; 0 when the last
 * admitted request is done.
 */
export function impatientWaitMs(host: HostState, admittedAtMs: number | undefined, nowMs: number): number {
  return isPending(host, admittedAtMs, nowMs) ? sentWaitMs : 0;
}

/** Decides whether the last admitted request has not been sent. */
function isPending(host: HostState, admittedAtMs: number | undefined, nowMs: number): boolean {
  return (
    admittedAtMs !== undefined &&
    (host.lastEndedAtMs ?? 0) <= admittedAtMs &&
    nowMs < admittedAtMs + refusedAfterMs
  );
}

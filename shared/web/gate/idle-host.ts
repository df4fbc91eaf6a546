import { isInForce } from "../../core/lease.ts";
import { type HostState, nextAllowedMs } from "./host-state.ts";
import { hasImpossibleTimes } from "./legal-times.ts";

/**
 * A host whose group has more messages gets its next request as soon as its delay is over: the gate then holds its lease.
 * So much later without a lease, the group is empty. It is more than a message takes through the queue.
 */
const graceMs = 2000;

/** How often a host is looked at that is at work, or that has not been sent the last admitted request. */
const busyWaitMs = 30_000;
const sentWaitMs = 5000;

/** An admitted request that leads to no exchange in this time was refused by the gate: the next one may go. */
const refusedAfterMs = 60_000;

/**
 * How long a request that yields to all others waits for its host; 0 when the host is idle: no worker has it, its delay
 * and back-off are over, its group has no message, and what was admitted before is done.
 */
export function idleWaitMs(host: HostState, admittedAtMs: number | undefined, nowMs: number): number {
  // The gate corrects times that a wrong clock has set: it must get the request for that.
  if (hasImpossibleTimes(host, nowMs)) return 0;
  if (host.lease !== undefined && isInForce(host.lease, nowMs)) return busyWaitMs;
  const isPending =
    admittedAtMs !== undefined &&
    (host.lastEndedAtMs ?? 0) <= admittedAtMs &&
    nowMs < admittedAtMs + refusedAfterMs;
  if (isPending) return sentWaitMs;
  return Math.max(0, nextAllowedMs(host, 0) + graceMs - nowMs);
}

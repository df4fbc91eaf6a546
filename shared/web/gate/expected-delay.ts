import { crawlDelayMs, currentRobots } from "../robots/robots-state.ts";
import type { DelayPolicy } from "./host-delays.ts";
import type { HostState } from "./host-state.ts";

/** The delay after a request to a host, as far as it is known in advance. Back-off and Retry-After are not included. */
export interface ExpectedDelay {
  /** The delay of requests that set none. */
  defaultMs: number;
  /** The lower bound of all delays, with the Crawl-delay. */
  minMs: number;
}

/** Returns the delays of a host by host key. */
export type ExpectedDelayOf = (hostKey: string) => Promise<ExpectedDelay>;

/**
 * Returns the delay that the gate will keep after requests to a host. The longest Crawl-delay of its origins applies.
 * @param policy the policy of the host
 */
export function expectedDelay(
  state: Pick<HostState, "robots"> | undefined,
  policy: DelayPolicy,
  nowMs: number,
): ExpectedDelay {
  const crawlDelaysMs = Object.values(state?.robots ?? {}).map((each) =>
    crawlDelayMs(currentRobots(each, nowMs), policy),
  );
  return { defaultMs: policy.defaultDelayMs, minMs: Math.max(policy.minDelayMs, ...crawlDelaysMs) };
}

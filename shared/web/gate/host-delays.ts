import type { GatePolicy } from "./gate-policy.ts";

/** The delays between requests to a host, in milliseconds, as operators have set them for all sources. */
export interface DelaySettings {
  /** The delay after a request whose source does not set one. It is also the lower bound of a Crawl-delay. */
  defaultDelayMs: number;
  /** The upper bound of a Crawl-delay. */
  maxDelayMs: number;
  /** Delays by host key. For a host in this list, the Crawl-delay is ignored and no source may set a shorter delay. */
  hostDelays: Record<string, { defaultMs?: number | undefined; maxMs?: number | undefined }>;
}

/** The delays of a policy. */
export type DelayPolicy = Pick<
  GatePolicy,
  "defaultDelayMs" | "minDelayMs" | "crawlDelayMinMs" | "crawlDelayMaxMs"
>;

/** Returns the policy for one host, with the delays that operators have set. */
export function policyFor<Policy extends DelayPolicy>(
  hostKey: string,
  policy: Policy,
  delays: DelaySettings | undefined,
): Policy {
  if (delays === undefined) return policy;
  const { defaultDelayMs, maxDelayMs } = delays;
  const own = Object.entries(delays.hostDelays).find(([key]) => key === hostKey)?.[1];
  if (own === undefined) {
    return {
      ...policy,
      defaultDelayMs,
      minDelayMs: 0,
      crawlDelayMinMs: defaultDelayMs,
      crawlDelayMaxMs: maxDelayMs,
    };
  }
  const ownMs = Math.min(own.defaultMs ?? defaultDelayMs, own.maxMs ?? Number.POSITIVE_INFINITY);
  return { ...policy, defaultDelayMs: ownMs, minDelayMs: ownMs, crawlDelayMinMs: 0, crawlDelayMaxMs: 0 };
}

import type { GatePolicy } from "./gate-policy.ts";

/** How long hosts are left alone, as it is set for all sources; in milliseconds. */
export interface DelaySettings {
  /** After a request whose source names no delay; also what a Crawl-delay is taken for at least. */
  defaultDelayMs: number;
  /** What a Crawl-delay is taken for at most. */
  maxDelayMs: number;
  /** By host key. Such a host's robots.txt is not asked for a delay, and no source may shorten the one that is set. */
  hostDelays: Record<string, { defaultMs?: number | undefined; maxMs?: number | undefined }>;
}

/** The policy for one host: delays as they are set; where nothing is set, those of the policy itself. */
export function policyFor(
  hostKey: string,
  policy: GatePolicy,
  delays: DelaySettings | undefined,
): GatePolicy {
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

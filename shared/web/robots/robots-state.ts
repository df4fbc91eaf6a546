/** The robots.txt of one origin, as part of its host's state. */
export interface RobotsState {
  known?: KnownRobots;
  /** A fetch in progress. It may take several invocations. */
  fetch?: RobotsFetch;
}

/**
 * - `allow-all`: there is no robots.txt, or no rule for us
 * - `rules`: the stored text applies
 * - `disallow-all`: it cannot be fetched now, so no request is allowed
 */
export const robotsAccesses = ["allow-all", "rules", "disallow-all"] as const;

export interface KnownRobots {
  access: (typeof robotsAccesses)[number];
  untilMs: number;
  /** When it was fetched last. */
  fetchedAtMs?: number;
  /** Where the text of `rules` is stored. */
  key?: string;
  /** As robots.txt says, in milliseconds, not clamped. */
  crawlDelayMs?: number;
  /** Why `disallow-all`. */
  reason?: string;
}

export interface RobotsFetch {
  /** The next hop: /robots.txt itself, or where it has been moved to. */
  url: string;
  hops: number;
  /** Tries of this hop. */
  attempts: number;
}

/** An origin's known robots.txt; undefined when it has expired. */
export function currentRobots(state: RobotsState | undefined, nowMs: number): KnownRobots | undefined {
  const known = state?.known;
  return known !== undefined && known.untilMs > nowMs ? known : undefined;
}

/** A host's Crawl-delay within the policy's bounds; 0 without one. */
export function crawlDelayMs(
  known: KnownRobots | undefined,
  policy: { crawlDelayMinMs: number; crawlDelayMaxMs: number },
): number {
  if (known?.crawlDelayMs === undefined) return 0;
  return Math.min(Math.max(known.crawlDelayMs, policy.crawlDelayMinMs), policy.crawlDelayMaxMs);
}

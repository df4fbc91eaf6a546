/** The robots.txt of one origin, as part of its host's state. */
export interface RobotsState {
  known?: KnownRobots;
  /** A fetch in progress. It may take several invocations. */
  fetch?: RobotsFetch;
}

/**
 * The rules that apply to an origin.
 * - `allow-all`: there is no robots.txt, or none of its rules applies to Ingather
 * - `rules`: the stored text applies
 * - `disallow-all`: the file cannot be fetched now, so no request is allowed
 */
export const robotsAccesses = ["allow-all", "rules", "disallow-all"] as const;

export interface KnownRobots {
  access: (typeof robotsAccesses)[number];
  untilMs: number;
  /** The time of the last fetch. */
  fetchedAtMs?: number;
  /** The key of the stored text, if `rules` apply. */
  key?: string;
  /** The value in robots.txt, in milliseconds, not clamped. */
  crawlDelayMs?: number;
  /** The reason for `disallow-all`. */
  reason?: string;
}

export interface RobotsFetch {
  /** The URL of the next hop: /robots.txt itself, or the URL to which it was moved. */
  url: string;
  hops: number;
  /** The number of attempts at this hop. */
  attempts: number;
}

/**
 * Returns what is known about an origin's robots.txt.
 * @returns undefined when nothing is known, or the knowledge has expired
 */
export function currentRobots(state: RobotsState | undefined, nowMs: number): KnownRobots | undefined {
  const known = state?.known;
  return known !== undefined && known.untilMs > nowMs ? known : undefined;
}

/** Returns a host's Crawl-delay, clamped to the policy's bounds; 0 when there is none. */
export function crawlDelayMs(
  known: KnownRobots | undefined,
  policy: { crawlDelayMinMs: number; crawlDelayMaxMs: number },
): number {
  if (known?.crawlDelayMs === undefined) return 0;
  return Math.min(Math.max(known.crawlDelayMs, policy.crawlDelayMinMs), policy.crawlDelayMaxMs);
}

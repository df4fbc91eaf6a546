import type { GatePolicy } from "../gate/gate-policy.ts";

/** What a host has said of one origin in its robots.txt: the part of the host's state that the rules come from. */
export interface RobotsState {
  known?: KnownRobots;
  /** A fetch under way. It may take several invocations. */
  fetch?: RobotsFetch;
}

export interface KnownRobots {
  /**
   * - `allow-all`: there is none, or no rule for us
   * - `rules`: as the kept text says
   * - `disallow-all`: it cannot be fetched for now, so no request is allowed
   */
  access: "allow-all" | "rules" | "disallow-all";
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

/** What is known of an origin's robots.txt, as long as it may be used. */
export function currentRobots(state: RobotsState | undefined, nowMs: number): KnownRobots | undefined {
  const known = state?.known;
  return known !== undefined && known.untilMs > nowMs ? known : undefined;
}

/** The delay that a host's Crawl-delay means to us; 0 when it names none. */
export function crawlDelayMs(known: KnownRobots | undefined, policy: GatePolicy): number {
  if (known?.crawlDelayMs === undefined) return 0;
  return Math.min(Math.max(known.crawlDelayMs, policy.crawlDelayMinMs), policy.crawlDelayMaxMs);
}

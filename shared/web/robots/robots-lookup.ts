import { hostKey } from "../address/host-key.ts";
import type { GatePolicy } from "../gate/gate-policy.ts";
import type { GatePorts, GateSettings } from "../gate/gate-ports.ts";
import { policyFor } from "../gate/host-delays.ts";
import { HostLease } from "../gate/host-lease.ts";
import type { HostState } from "../gate/host-state.ts";
import { type RobotsRules, readRobots, robotsBody, robotsText } from "./robots.ts";
import { type RobotsAnswer, readRobotsAnswer, robotsUrl } from "./robots-answer.ts";
import {
  crawlDelayMs,
  currentRobots,
  type KnownRobots,
  type RobotsFetch,
  type RobotsState,
} from "./robots-state.ts";
import type { RobotsStore } from "./robots-store.ts";

/** What an origin allows; or that it was asked for it, and that the next step is to be taken, now or later. */
export type RobotsStep =
  | { type: "known"; known: KnownRobots; rules?: RobotsRules }
  | { type: "retry" }
  | { type: "later"; waitMs: number };

/** The request that needs to know: in its turn, and by its name, the robots.txt is asked for. */
interface RobotsRequester {
  delayMs: number;
  exchangeId: string;
  userAgent: string;
}

/**
 * The robots.txt of the origins of one host, as one invocation sees them. They are asked for like all else: in the
 * host's turn, under its lease; where they have been moved to another host, in that host's turn and under its lease too.
 */
export class RobotsLookup {
  private readonly lease: HostLease;
  private readonly store: RobotsStore;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;
  private readonly rules = new Map<string, RobotsRules>();

  constructor(turns: HostLease, store: RobotsStore, given: { ports: GatePorts; settings: GateSettings }) {
    this.lease = turns;
    this.store = store;
    this.ports = given.ports;
    this.settings = given.settings;
  }

  /**
   * @param asker.userAgent that of the request that needs to know: a host sees one visitor, and its log whom to ask. What
   * it says counts for every other, too, because its rules are for our product token, whoever asks.
   */
  async lookUp(origin: string, asker: RobotsRequester): Promise<RobotsStep> {
    const state = this.lease.state.robots?.[origin];
    const known = currentRobots(state, this.ports.clock.now().getTime());
    if (known !== undefined) return { type: "known", known, ...(await this.rulesOf(known)) };
    return this.fetchStep(origin, state?.fetch ?? { url: robotsUrl(origin), hops: 0, attempts: 0 }, asker);
  }

  private async rulesOf({ key }: KnownRobots): Promise<{ rules?: RobotsRules }> {
    if (key === undefined) return {};
    const rules = this.rules.get(key) ?? readRobots(await this.store.load(key));
    this.rules.set(key, rules);
    return { rules };
  }

  /** One step of a fetch: one exchange. */
  private async fetchStep(
    origin: string,
    fetch: RobotsFetch,
    { userAgent, ...turn }: RobotsRequester,
  ): Promise<RobotsStep> {
    const key = hostKey(new URL(fetch.url));
    const isOwn = key === this.lease.state.hostKey;
    const policy = isOwn
      ? this.settings.policy
      : policyFor(key, this.settings.policy, await this.ports.delays());
    const turns = isOwn ? this.lease : await HostLease.load(key, this.ports, { ...this.settings, policy });
    try {
      const { addresses } = this.settings;
      const request = {
        url: fetch.url,
        headers: { "user-agent": userAgent, accept: "text/plain, */*;q=0.5" },
        bodyMode: robotsBody,
      };
      const asked = await turns.fetch(
        request,
        isOwn ? turn : { delayMs: ownDelayMs(turns.state, fetch.url, policy) },
      );
      if (asked.type === "later") return asked;
      const { outcome } = asked;
      const retry = turns.recordOutcome(outcome, { url: fetch.url, attempts: fetch.attempts + 1 });
      const answer = readRobotsAnswer(fetch, outcome, { retry, addresses, now: this.ports.clock.now() });
      this.update(origin, await this.stateAfter(answer, { origin, fetch }));
      return { type: "retry" };
    } finally {
      if (!isOwn) await turns.release();
    }
  }

  private async stateAfter(
    answer: RobotsAnswer,
    { origin, fetch }: { origin: string; fetch: RobotsFetch },
  ): Promise<RobotsState> {
    const before = this.lease.state.robots?.[origin]?.known;
    const { policy } = this.settings;
    const now = this.ports.clock.now().getTime();
    const fresh = { fetchedAtMs: now, untilMs: now + policy.robotsMaxAgeMs };
    switch (answer.type) {
      case "retry":
        return { ...(before && { known: before }), fetch: { ...fetch, attempts: fetch.attempts + 1 } };
      case "moved":
        return {
          ...(before && { known: before }),
          fetch: { url: answer.url, hops: fetch.hops + 1, attempts: 0 },
        };
      case "unreachable": {
        // What it said before holds on for a while.
        const isRecent = now - (before?.fetchedAtMs ?? 0) < policy.robotsStaleMaxMs;
        const { reason } = answer;
        const access = isRecent && before ? before : { access: "disallow-all" as const };
        return { known: { ...access, untilMs: now + policy.unavailableMs, reason } };
      }
      case "none":
        return { known: { access: "allow-all", ...fresh } };
      case "found": {
        const text = robotsText(answer.body);
        const rules = readRobots(text);
        const delay = rules.crawlDelayMs === undefined ? {} : { crawlDelayMs: rules.crawlDelayMs };
        if (!rules.hasRules) return { known: { access: "allow-all", ...fresh, ...delay } };
        return { known: { access: "rules", ...fresh, key: await this.store.store(origin, text), ...delay } };
      }
    }
  }

  private update(origin: string, robots: RobotsState): void {
    const { state } = this.lease;
    this.lease.update({ ...state, robots: { ...state.robots, [origin]: robots } });
    this.lease.postpone(crawlDelayMs(robots.known, this.settings.policy));
  }
}

/** The delay of a host whose line is not the one being served: nobody's request there has named another. */
function ownDelayMs(host: HostState, url: string, policy: GatePolicy): number {
  const known = host.robots?.[new URL(url).origin]?.known;
  return Math.max(policy.defaultDelayMs, crawlDelayMs(known, policy));
}

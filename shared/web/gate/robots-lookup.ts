import { hostKey } from "../address/host-key.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import { type RobotsRules, readRobots, robotsBody, robotsText } from "../robots/robots.ts";
import {
  crawlDelayMs,
  currentRobots,
  type KnownRobots,
  type RobotsFetch,
  type RobotsState,
} from "../robots/robots-state.ts";
import type { RobotsStore } from "../robots/robots-store.ts";
import { CapturedRobots, type KeepRobots } from "./captured-robots.ts";
import type { GatePolicy } from "./gate-policy.ts";
import type { GatePorts, GateSettings } from "./gate-ports.ts";
import { policyFor } from "./host-delays.ts";
import { HostLease } from "./host-lease.ts";
import type { HostState } from "./host-state.ts";
import { type RobotsAnswer, readRobotsAnswer, robotsUrl } from "./robots-answer.ts";

/**
 * The rules of an origin, or the result of a single exchange, after which the next step is due now (`retry`) or
 * `later`.
 */
export type RobotsStep =
  | { type: "known"; known: KnownRobots; rules?: RobotsRules }
  | { type: "retry" }
  | { type: "later"; waitMs: number };

/** The request that needs the robots.txt. The file is fetched before that request, with that request's User-Agent. */
interface RobotsRequester {
  delayMs: number;
  exchangeId: string;
  userAgent: string;
  /** Set when the request is part of a capture. */
  keep?: KeepRobots;
}

/**
 * Looks up the robots.txt files of one host's origins, in one invocation. Each file is fetched under the host's lease,
 * with the host's delay. After a redirect to another host, that host's lease and delay apply.
 */
export class RobotsLookup {
  private readonly lease: HostLease;
  private readonly store: RobotsStore;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;
  private readonly rules = new Map<string, RobotsRules>();

  constructor(lease: HostLease, store: RobotsStore, given: { ports: GatePorts; settings: GateSettings }) {
    this.lease = lease;
    this.store = store;
    this.ports = given.ports;
    this.settings = given.settings;
  }

  /**
   * Returns the rules of an origin, or makes one exchange to fetch them.
   * @param requester.userAgent the User-Agent of the request, so that a host sees only one client. The rules do not
   * depend on it: they are always the rules for Ingather's product token
   */
  async lookUp(origin: string, requester: RobotsRequester): Promise<RobotsStep> {
    const state = this.lease.state.robots?.[origin];
    const known = currentRobots(state, this.ports.clock.now().getTime());
    if (known !== undefined) return { type: "known", known, ...(await this.rulesOf(known)) };
    return this.fetchStep(
      origin,
      state?.fetch ?? { url: robotsUrl(origin), hops: 0, attempts: 0 },
      requester,
    );
  }

  /**
   * Uses the last response to an explicit request for an origin's robots.txt, so that the file is not fetched again.
   */
  async learn(origin: string, outcome: ExchangeOutcome): Promise<void> {
    const fetch = { url: robotsUrl(origin), hops: 0, attempts: 0 };
    const { addresses } = this.settings;
    const answer = readRobotsAnswer(fetch, outcome, { isLast: true, addresses, now: this.ports.clock.now() });
    this.update(origin, await this.stateAfter(answer, { origin, fetch }));
  }

  private async rulesOf({ key }: KnownRobots): Promise<{ rules?: RobotsRules }> {
    if (key === undefined) return {};
    const rules = this.rules.get(key) ?? readRobots(await this.store.load(key));
    this.rules.set(key, rules);
    return { rules };
  }

  /** Makes one exchange of a fetch. */
  private async fetchStep(
    origin: string,
    fetch: RobotsFetch,
    { userAgent, keep, ...timing }: RobotsRequester,
  ): Promise<RobotsStep> {
    const key = hostKey(new URL(fetch.url));
    const isOwn = key === this.lease.state.hostKey;
    const policy = isOwn
      ? this.settings.policy
      : policyFor(key, this.settings.policy, await this.ports.delays());
    const lease = isOwn ? this.lease : await HostLease.load(key, this.ports, { ...this.settings, policy });
    try {
      const { addresses } = this.settings;
      const captured = keep && new CapturedRobots(keep.mode());
      const request = {
        url: fetch.url,
        headers: { "user-agent": userAgent, accept: "text/plain, */*;q=0.5" },
        ...(captured ? { capture: captured.mode } : { bodyMode: robotsBody }),
      };
      const result = await lease.run(() => this.ports.exchange(request), {
        ...(isOwn ? timing : { delayMs: ownDelayMs(lease.state, fetch.url, policy) }),
        exchangeMaxMs: captured ? policy.streamMaxMs : policy.exchangeMaxMs,
      });
      if (result.type === "later") return result;
      await keep?.keep(fetch.url, result.outcome);
      const outcome = captured ? await captured.read(result.outcome) : result.outcome;
      const retry = lease.recordOutcome(outcome, { url: fetch.url, attempts: fetch.attempts + 1 });
      const answer = readRobotsAnswer(fetch, outcome, {
        isLast: retry.type === "final",
        addresses,
        now: this.ports.clock.now(),
      });
      this.update(origin, await this.stateAfter(answer, { origin, fetch }));
      return { type: "retry" };
    } finally {
      if (!isOwn) await lease.release();
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
        // The previous rules apply for some time.
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
        const key = await this.store.store(origin, text);
        this.rules.set(key, rules);
        return { known: { access: "rules", ...fresh, key, ...delay } };
      }
    }
  }

  private update(origin: string, robots: RobotsState): void {
    const { state } = this.lease;
    this.lease.update({ ...state, robots: { ...state.robots, [origin]: robots } });
    this.lease.postpone(crawlDelayMs(robots.known, this.settings.policy));
  }
}

/**
 * Returns the delay of a host to which a robots.txt was moved: the default delay, or the host's Crawl-delay if that is
 * longer. No request to that host exists that could set another delay.
 */
function ownDelayMs(host: HostState, url: string, policy: GatePolicy): number {
  const known = host.robots?.[new URL(url).origin]?.known;
  return Math.max(policy.defaultDelayMs, crawlDelayMs(known, policy));
}

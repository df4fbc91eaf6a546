import { hostKey } from "../address/host-key.ts";
import type { GatePorts, GateSettings } from "../gate/gate.ts";
import type { GatePolicy } from "../gate/gate-policy.ts";
import { policyFor } from "../gate/host-delays.ts";
import type { HostState } from "../gate/host-state.ts";
import { HostTurns } from "../gate/host-turns.ts";
import { type RobotsRules, readRobots, robotsBody, robotsText } from "./robots.ts";
import { concludeRobots, type RobotsAnswer, robotsUrl } from "./robots-answer.ts";
import {
  crawlDelayMs,
  currentRobots,
  type KnownRobots,
  type RobotsFetch,
  type RobotsState,
} from "./state.ts";

/** Where the texts of robots.txt files are kept. */
export interface RobotsStore {
  /** Keeps the text and gives its key. */
  keep(origin: string, text: string): Promise<string>;
  text(key: string): Promise<string>;
}

/** What an origin allows; or that it was asked for it, and that the next step is to be taken, now or later. */
export type RobotsStep =
  | { type: "known"; known: KnownRobots; rules?: RobotsRules }
  | { type: "again" }
  | { type: "later"; waitMs: number };

/** The request that needs to know: in its turn, and by its name, the robots.txt is asked for. */
interface Asker {
  delayMs: number;
  exchangeId: string;
  userAgent: string;
}

/**
 * The robots.txt of the origins of one host, as one invocation sees them. They are asked for like all else: in the
 * host's turn, under its lease; where they have been moved to another host, in that host's turn and under its lease too.
 */
export class RobotsLookup {
  private readonly turns: HostTurns;
  private readonly store: RobotsStore;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;
  private readonly rules = new Map<string, RobotsRules>();

  constructor(turns: HostTurns, store: RobotsStore, given: { ports: GatePorts; settings: GateSettings }) {
    this.turns = turns;
    this.store = store;
    this.ports = given.ports;
    this.settings = given.settings;
  }

  /**
   * @param asker.userAgent that of the request that needs to know: a host sees one visitor, and its log whom to ask. What
   * it says counts for every other, too, because its rules are for our product token, whoever asks.
   */
  async consult(origin: string, asker: Asker): Promise<RobotsStep> {
    const state = this.turns.state.robots?.[origin];
    const known = currentRobots(state, this.ports.clock.now().getTime());
    if (known !== undefined) return { type: "known", known, ...(await this.rulesOf(known)) };
    return this.askFor(origin, state?.fetch ?? { url: robotsUrl(origin), hops: 0, attempts: 0 }, asker);
  }

  private async rulesOf({ key }: KnownRobots): Promise<{ rules?: RobotsRules }> {
    if (key === undefined) return {};
    const rules = this.rules.get(key) ?? readRobots(await this.store.text(key));
    this.rules.set(key, rules);
    return { rules };
  }

  /** One step of a fetch: one exchange. */
  private async askFor(
    origin: string,
    fetch: RobotsFetch,
    { userAgent, ...turn }: Asker,
  ): Promise<RobotsStep> {
    const key = hostKey(new URL(fetch.url));
    const isOwn = key === this.turns.state.hostKey;
    const policy = isOwn
      ? this.settings.policy
      : policyFor(key, this.settings.policy, await this.ports.delays());
    const turns = isOwn ? this.turns : await HostTurns.open(key, this.ports, { ...this.settings, policy });
    try {
      const { addresses } = this.settings;
      const request = {
        url: fetch.url,
        headers: { "user-agent": userAgent, accept: "text/plain, */*;q=0.5" },
        answerBody: robotsBody,
      };
      const asked = await turns.askFor(
        request,
        isOwn ? turn : { delayMs: ownDelayMs(turns.state, fetch.url, policy) },
      );
      if (asked.type === "later") return asked;
      const { outcome } = asked;
      const retry = turns.conclude(outcome, { url: fetch.url, attempts: fetch.attempts + 1 });
      const answer = concludeRobots(fetch, outcome, { retry, addresses, now: this.ports.clock.now() });
      this.note(origin, await this.stateAfter(answer, { origin, fetch }));
      return { type: "again" };
    } finally {
      if (!isOwn) await turns.release();
    }
  }

  private async stateAfter(
    answer: RobotsAnswer,
    { origin, fetch }: { origin: string; fetch: RobotsFetch },
  ): Promise<RobotsState> {
    const before = this.turns.state.robots?.[origin]?.known;
    const { policy } = this.settings;
    const now = this.ports.clock.now().getTime();
    const fresh = { fetchedAtMs: now, untilMs: now + policy.robotsMs };
    switch (answer.type) {
      case "again":
        return { ...(before && { known: before }), fetch: { ...fetch, attempts: fetch.attempts + 1 } };
      case "moved":
        return {
          ...(before && { known: before }),
          fetch: { url: answer.url, hops: fetch.hops + 1, attempts: 0 },
        };
      case "unreachable": {
        // What it said before holds on for a while.
        const isRecent = now - (before?.fetchedAtMs ?? 0) < policy.robotsUnreachableMs;
        const { reason } = answer;
        const access = isRecent && before ? before : { access: "nothing" as const };
        return { known: { ...access, untilMs: now + policy.unreachableMs, reason } };
      }
      case "none":
        return { known: { access: "all", ...fresh } };
      case "found": {
        const text = robotsText(answer.body);
        const rules = readRobots(text);
        const delay = rules.crawlDelayMs === undefined ? {} : { crawlDelayMs: rules.crawlDelayMs };
        if (!rules.hasRules) return { known: { access: "all", ...fresh, ...delay } };
        return { known: { access: "listed", ...fresh, key: await this.store.keep(origin, text), ...delay } };
      }
    }
  }

  private note(origin: string, robots: RobotsState): void {
    const { state } = this.turns;
    this.turns.change({ ...state, robots: { ...state.robots, [origin]: robots } });
    this.turns.rest(crawlDelayMs(robots.known, this.settings.policy));
  }
}

/** The delay of a host whose line is not the one being served: nobody's request there has named another. */
function ownDelayMs(host: HostState, url: string, policy: GatePolicy): number {
  const known = host.robots?.[new URL(url).origin]?.known;
  return Math.max(policy.defaultDelayMs, crawlDelayMs(known, policy));
}

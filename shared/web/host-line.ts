import { admitUrl } from "./admit-url.ts";
import { type Validators, validatorsKey } from "./conditional.ts";
import type { ExchangeOutcome } from "./exchange.ts";
import type { GateMessage, GatePorts, GateSettings } from "./gate.ts";
import { endOf, handOn } from "./hand-on.ts";
import { countAttempt, countTrouble, markUnreachable, penalise, settle, triesOf } from "./host-state.ts";
import { HostTurns } from "./host-turns.ts";
import { exchangeId, type OutboundRequest } from "./request.ts";
import { requestHeaders } from "./request-headers.ts";
import { decideRetry, isHostWide } from "./retry.ts";
import { robotsUrl } from "./robots-fetch.ts";
import { RobotsLookup, type RobotsStep } from "./robots-lookup.ts";
import { crawlDelayMs } from "./robots-state.ts";
import type { Translator } from "./translator.ts";

export interface LineEntry {
  message: GateMessage;
  request: OutboundRequest;
}

/** One step of a request: settled, to be tried again, or not before a wait that is too long for this invocation. */
type Step = { type: "done" } | { type: "again" } | { type: "later"; waitMs: number };

/** How long a host waits while all places at the translation server are taken. */
const translatorBusyMs = 2000;

const done: Step = { type: "done" };

/** The line of requests to one host, as one invocation serves it. */
export class HostLine {
  private readonly turns: HostTurns;
  private readonly robots: RobotsLookup | undefined;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;

  private constructor(turns: HostTurns, ports: GatePorts, settings: GateSettings) {
    this.turns = turns;
    this.robots = ports.robots && new RobotsLookup(turns, ports.robots, { ports, settings });
    this.ports = ports;
    this.settings = settings;
  }

  static async open(hostKey: string, ports: GatePorts, settings: GateSettings): Promise<HostLine> {
    return new HostLine(await HostTurns.open(hostKey, ports, settings), ports, settings);
  }

  /** Serves the entries in order, and yields the messages that are not done: they have been handed back. */
  async serve(entries: LineEntry[]): Promise<GateMessage[]> {
    try {
      for (const [index, entry] of entries.entries()) {
        const rest = entries.slice(index).map(({ message }) => message);
        const step = await this.takeOrNoteTrouble(entry, rest);
        if (step.type === "done") continue;
        await this.ports.handBack(rest, step.waitMs);
        return rest;
      }
      return [];
    } finally {
      // Also after an error: what is settled must be known when the messages come again.
      await this.turns.release();
    }
  }

  /**
   * Takes a request as far as it gets in this invocation. An error goes on to whoever has called; that it happened is
   * counted, so that a request that breaks us every time ends in the dead-letter queue and not at the head of its line.
   */
  private async takeOrNoteTrouble(
    entry: LineEntry,
    rest: GateMessage[],
  ): Promise<Exclude<Step, { type: "again" }>> {
    const { request, message } = entry;
    const id = exchangeId(request);
    const { policy } = this.settings;
    try {
      if (triesOf(this.turns.state, id).troubles >= policy.troubles) {
        await this.ports.putAside(
          message,
          `it broke off ${policy.troubles} times, by an error or the process's end`,
        );
        this.turns.change(settle(this.turns.state, id));
      }
      for (;;) {
        const step = await this.take(request);
        if (step.type !== "again") return step;
      }
    } catch (error) {
      this.turns.change(countTrouble(this.turns.state, id));
      await this.ports.handBack(rest, policy.backoffMaxMs);
      throw error;
    }
  }

  private async take(request: OutboundRequest): Promise<Step> {
    const { state } = this.turns;
    const id = exchangeId(request);
    if (state.settled.includes(id)) return done;
    const admission = admitUrl(request.url, this.settings.addresses);
    if (admission.type === "refused") return this.refuse(request, admission);
    const now = this.ports.clock.now();
    if (state.unreachable !== undefined && state.unreachable.untilMs > now.getTime()) {
      const detail = state.unreachable.reason;
      await this.ports.respond(
        endOf(request, { type: "failed", reason: "unreachable", detail, attempts: 0 }),
      );
      return done;
    }

    const { url } = admission;
    const { policy } = this.settings;
    const throttleMs = request.throttleMs ?? policy.defaultDelayMs;
    const robots = await this.robots?.consult(url.origin, { delayMs: throttleMs, exchangeId: id });
    if (robots !== undefined && robots.type !== "known") return robots;
    const forbidden = request.obeyRobots && robots !== undefined ? forbids(robots, url) : undefined;
    if (forbidden !== undefined) return this.refuse(request, forbidden);

    const delayMs = Math.max(throttleMs, crawlDelayMs(robots?.known, policy));
    const { translator } = this.ports;
    if (request.kind === "article" && translator !== undefined) {
      return this.translate(request, translator, { delayMs, exchangeId: id });
    }
    if (request.translation?.search !== undefined || request.translation?.choicesKey !== undefined) {
      return this.refuse(request, { reason: "no-translation-server", detail: "none is configured" });
    }

    const key = validatorsKey(request);
    const earlier = key === undefined ? undefined : await this.ports.validators?.recall(key);
    const { userAgent } = this.settings;
    const turn = await this.turns.askFor(
      {
        url: url.href,
        headers: requestHeaders(request, url, { userAgent, earlier, now }),
        answerBody: request.keepBody ? "keep" : "discard",
      },
      { delayMs, exchangeId: id },
    );
    return turn.type === "later" ? turn : this.conclude(request, turn.outcome, earlier);
  }

  /** Asks the translation server for the page in the turn of its host, unless another page's choices had it. */
  private async translate(
    request: OutboundRequest,
    translator: Translator,
    turn: { delayMs: number; exchangeId: string },
  ): Promise<Step> {
    const known = await translator.recall(request);
    if (known !== undefined) {
      await this.ports.respond({ request, outcome: known });
      this.turns.change(settle(this.turns.state, turn.exchangeId));
      return done;
    }
    const place = await translator.takePlace();
    if (place === undefined) return { type: "later", waitMs: translatorBusyMs };
    try {
      const { maxMs: exchangeMaxMs } = translator;
      const asked = await this.turns.ask(() => translator.translate(request), { ...turn, exchangeMaxMs });
      return asked.type === "later" ? asked : await this.conclude(request, asked.outcome, undefined);
    } finally {
      await place.leave();
    }
  }

  private async conclude(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    earlier: Validators | undefined,
  ): Promise<Step> {
    const { policy } = this.settings;
    const id = exchangeId(request);
    const now = this.ports.clock.now();
    const attempts = triesOf(this.turns.state, id).attempts + 1;
    const retry = decideRetry(outcome, attempts, { policy, now, random: this.ports.random() });
    if (retry.type === "again") {
      this.turns.tally.add("retries");
      this.turns.change(penalise(countAttempt(this.turns.state, id), now.getTime() + retry.afterMs));
      return retry;
    }
    const { ports, settings } = this;
    await handOn(request, outcome, { attempts, earlier, ports, addresses: settings.addresses });
    this.turns.change(settle(this.turns.state, id));
    if (outcome.type === "failed" && isHostWide(outcome)) {
      const { detail } = outcome;
      this.turns.change(markUnreachable(this.turns.state, now, { forMs: policy.unreachableMs, detail }));
    }
    return done;
  }

  private async refuse(request: OutboundRequest, refusal: { reason: string; detail: string }): Promise<Step> {
    const { reason, detail } = refusal;
    this.turns.tally.add(`refused-${reason}`);
    await this.ports.respond(endOf(request, { type: "refused", reason, detail }));
    return done;
  }
}

/** Why a URL may not be asked by its origin's robots.txt. */
function forbids(
  { known, rules }: Extract<RobotsStep, { type: "known" }>,
  url: URL,
): { reason: string; detail: string } | undefined {
  if (known.access === "nothing") return { reason: "robots-unreachable", detail: known.reason ?? "" };
  const line = rules?.forbids(url);
  return line === undefined ? undefined : { reason: "robots", detail: `${robotsUrl(url.origin)}, ${line}` };
}

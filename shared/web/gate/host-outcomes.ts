import type { Validators } from "../chain/conditional.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import type { GatePorts, GateSettings } from "./gate.ts";
import { endOf, handOn } from "./hand-on.ts";
import { countAttempt, settle, triesOf } from "./host-state.ts";
import type { HostTurns } from "./host-turns.ts";
import { exchangeId, type OutboundRequest } from "./request.ts";
import type { InboundResponse } from "./response.ts";

/** One step of a request: done with, to be tried again, or not before a wait that is too long for this invocation. */
export type Step = { type: "done" } | { type: "again" } | { type: "later"; waitMs: number };

const done: Step = { type: "done" };

/** What becomes of the requests to one host: they are tried again, or told to their readers in their order. */
export class HostOutcomes {
  private readonly turns: HostTurns;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;

  constructor(turns: HostTurns, ports: GatePorts, settings: GateSettings) {
    this.turns = turns;
    this.ports = ports;
    this.settings = settings;
  }

  /** Decides what follows from an exchange; its answer may still be on its way when this resolves. */
  async conclude(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    earlier: Validators | undefined,
  ): Promise<Step> {
    const id = exchangeId(request);
    const attempts = triesOf(this.turns.state, id).attempts + 1;
    const retry = this.turns.conclude(outcome, { url: request.url, attempts });
    if (retry.type === "again") {
      this.turns.change(countAttempt(this.turns.state, id));
      return { type: "again" };
    }
    await this.store(request, outcome, { attempts, earlier });
    return done;
  }

  refuse(request: OutboundRequest, refusal: { reason: string; detail: string }): Promise<Step> {
    const { reason, detail } = refusal;
    this.turns.tally.add(`refused-${reason}`);
    return this.tell(endOf(request, { type: "refused", reason, detail }));
  }

  /** Answers a request that the host was not asked for, after the answers before. */
  async tell(response: InboundResponse): Promise<Step> {
    await this.turns.storing.end();
    await this.ports.respond(response);
    return done;
  }

  /** Begins to store an outcome, after the one before. A request that has given trouble has nothing going on besides. */
  private async store(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    given: { attempts: number; earlier: Validators | undefined },
  ): Promise<void> {
    const { ports, turns } = this;
    const { addresses } = this.settings;
    const id = exchangeId(request);
    await turns.storing.end();
    turns.storing.start(id, async () => {
      await handOn(request, outcome, { ...given, ports, addresses });
      turns.change(settle(turns.state, id));
    });
    if (triesOf(turns.state, id).troubles > 0) await turns.storing.end();
  }
}

import type { Validators } from "../chain/conditional.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import { dispatchResponse, responseWithoutAnswer } from "./dispatch-response.ts";
import type { GatePorts, GateSettings } from "./gate-ports.ts";
import type { HostLease } from "./host-lease.ts";
import { countAttempt, markSettled, pendingExchangeOf } from "./host-state.ts";
import { exchangeId, type OutboundRequest } from "./request.ts";
import type { InboundResponse } from "./response.ts";
import type { Transport } from "./transport.ts";

/** One step of a request: done with, to be tried again, or not before a wait that is too long for this invocation. */
export type Step = { type: "done" } | { type: "retry" } | { type: "later"; waitMs: number };

const done: Step = { type: "done" };

/** What becomes of the requests to one host: they are tried again, or told to their readers in their order. */
export class HostOutcomes {
  private readonly lease: HostLease;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;

  constructor(turns: HostLease, ports: GatePorts, settings: GateSettings) {
    this.lease = turns;
    this.ports = ports;
    this.settings = settings;
  }

  /** Decides what follows from an exchange; its answer may still be on its way when this resolves. */
  async handleOutcome(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    made: { earlier?: Validators | undefined; transport?: Transport },
  ): Promise<Step> {
    const id = exchangeId(request);
    const attempts = pendingExchangeOf(this.lease.state, id).attempts + 1;
    const retry = this.lease.recordOutcome(outcome, { url: request.url, attempts });
    if (retry.type === "retry") {
      this.lease.update(countAttempt(this.lease.state, id));
      return { type: "retry" };
    }
    await this.store(request, outcome, { attempts, ...made });
    return done;
  }

  refuse(request: OutboundRequest, refusal: { reason: string; detail: string }): Promise<Step> {
    const { reason, detail } = refusal;
    this.lease.counters.add(`refused-${reason}`);
    return this.respond(responseWithoutAnswer(request, { type: "refused", reason, detail }));
  }

  /** Answers a request that the host was not asked for, after the answers before. */
  async respond(response: InboundResponse): Promise<Step> {
    await this.lease.pendingWrite.flush();
    await this.ports.respond(response);
    return done;
  }

  /** Begins to store an outcome, after the one before. A request that has given trouble has nothing going on besides. */
  private async store(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    given: { attempts: number; earlier?: Validators | undefined; transport?: Transport },
  ): Promise<void> {
    const { ports, lease } = this;
    const { addresses } = this.settings;
    const id = exchangeId(request);
    await lease.pendingWrite.flush();
    lease.pendingWrite.start(id, async () => {
      await dispatchResponse(request, outcome, { ...given, ports, addresses });
      lease.update(markSettled(lease.state, id));
    });
    if (pendingExchangeOf(lease.state, id).crashes > 0) await lease.pendingWrite.flush();
  }
}

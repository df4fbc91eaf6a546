import type { CachedAnswer } from "../chain/conditional.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import { exchangeId, type OutboundRequest } from "../request/request.ts";
import { capturedObject, type InboundResponse, type InterimExchange } from "../request/response.ts";
import { dispatchResponse, interimResponse, responseWithoutAnswer } from "./dispatch-response.ts";
import type { GatePorts, GateSettings } from "./gate-ports.ts";
import type { HostLease } from "./host-lease.ts";
import { addInterim, countAttempt, markSettled, pendingExchangeOf } from "./host-state.ts";
import type { Transport } from "./transport.ts";

/**
 * The result of a step of a request: done, to be retried, or due only after a wait that is too long for this
 * invocation.
 */
export type RequestStep = { type: "done" } | { type: "retry" } | { type: "later"; waitMs: number };

const done: RequestStep = { type: "done" };

/** Decides between a retry and a response, for the requests to one host. Responses are stored in order. */
export class HostOutcomes {
  private readonly lease: HostLease;
  private readonly ports: GatePorts;
  private readonly settings: GateSettings;

  constructor(lease: HostLease, ports: GatePorts, settings: GateSettings) {
    this.lease = lease;
    this.ports = ports;
    this.settings = settings;
  }

  /**
   * Decides how a request continues after an exchange. The response may still be being stored when the promise
   * resolves.
   */
  async handleOutcome(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    made: { earlier?: CachedAnswer | undefined; transport?: Transport },
  ): Promise<RequestStep> {
    const id = exchangeId(request);
    const attempts = pendingExchangeOf(this.lease.state, id).attempts + 1;
    const retry = this.lease.recordOutcome(outcome, { url: request.url, attempts });
    if (retry.type === "retry") {
      await this.respondInterim(request, outcome, { attempts });
      this.lease.update(countAttempt(this.lease.state, id));
      return { type: "retry" };
    }
    await this.store(request, outcome, { attempts, ...made });
    return done;
  }

  refuse(request: OutboundRequest, refusal: { reason: string; detail: string }): Promise<RequestStep> {
    const { reason, detail } = refusal;
    this.lease.counters.add(`refused-${reason}`);
    return this.respond(responseWithoutAnswer(request, { type: "refused", reason, detail }));
  }

  /**
   * Stores a captured response that is not the last one of its request. @param made.url the URL that responded, if it
   * differs from the request's URL
   */
  async respondInterim(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    made: { url?: string; attempts?: number },
  ): Promise<void> {
    const response = interimResponse(request, outcome, made);
    if (response === undefined) return;
    await this.respond(response);
    const captured = capturedObject(response.outcome);
    if (captured === undefined) return;
    const { url, facts } = captured;
    this.lease.update(addInterim(this.lease.state, exchangeId(request), { url, startedAt: facts.startedAt }));
  }

  /** Sends a response for which no request was made, after the previous responses are stored. */
  async respond(response: InboundResponse): Promise<RequestStep> {
    await this.lease.pendingWrite.flush();
    const { interims } = pendingExchangeOf(this.lease.state, exchangeId(response.request));
    await this.ports.respond(withInterims(response, interims));
    return done;
  }

  /**
   * Starts to store an outcome after the previous one is stored. If the request has crashed before, it waits until the
   * outcome is stored.
   */
  private async store(
    request: OutboundRequest,
    outcome: ExchangeOutcome,
    given: { attempts: number; earlier?: CachedAnswer | undefined; transport?: Transport },
  ): Promise<void> {
    const { lease } = this;
    const { addresses } = this.settings;
    const id = exchangeId(request);
    await lease.pendingWrite.flush();
    const { interims, crashes } = pendingExchangeOf(lease.state, id);
    const respond = (response: InboundResponse) => this.ports.respond(withInterims(response, interims));
    const ports = { ...this.ports, respond };
    lease.pendingWrite.start(id, async () => {
      await dispatchResponse(request, outcome, { ...given, ports, addresses });
      lease.update(markSettled(lease.state, id));
    });
    if (crashes > 0) await lease.pendingWrite.flush();
  }
}

/**
 * Adds the captured exchanges whose responses were sent earlier, because the reader may receive those responses later.
 */
function withInterims(response: InboundResponse, interims: InterimExchange[]): InboundResponse {
  return interims.length === 0 ? response : { ...response, interims };
}

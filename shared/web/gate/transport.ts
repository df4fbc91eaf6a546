import type { Answer, ExchangeOutcome } from "../exchange/exchange.ts";
import type { OutboundRequest } from "../request/request.ts";
import type { ResponseOutcome } from "../request/response.ts";

/**
 * A way to the response of a request other than a request to the URL's host, such as a service that fetches the page
 * itself. An exchange by it counts as one with the host: robots.txt, turn, lease and delay are the host's.
 */
export interface Transport {
  /** The longest that `exchange` may last. */
  exchangeMaxMs: number;
  /** An answer that is known already: no exchange is made for it. */
  recall(request: OutboundRequest): Promise<Extract<ResponseOutcome, { type: "answered" }> | undefined>;
  /** Claims one of the slots that all workers share; undefined when all are taken. */
  claimSlot(): Promise<{ release(): Promise<void> } | undefined>;
  /** Never throws for what the other side does. An answer has `transport` set. */
  exchange(request: OutboundRequest): Promise<ExchangeOutcome>;
  /** Called when the body of a response is stored. */
  onStored(request: OutboundRequest, answer: Answer, bodyKey: string): Promise<void>;
}

type TransportChoice =
  | { type: "direct" }
  | { type: "transport"; transport: Transport }
  | { type: "refused"; reason: string; detail: string };

/** Chooses how a request is made; everything goes straight to its host where there is no transport. */
export type ChooseTransport = (request: OutboundRequest) => TransportChoice;

import type { Answer, ExchangeOutcome } from "../exchange/exchange.ts";
import type { OutboundRequest } from "../request/request.ts";
import type { ResponseOutcome } from "../request/response.ts";

/**
 * A way to obtain the response of a request without a request to the URL's host, such as a service that fetches the
 * page itself. An exchange with the transport counts as an exchange with the host, so the host's robots.txt, order,
 * lease and delay apply.
 */
export interface Transport {
  /** The longest duration of `exchange`. */
  exchangeMaxMs: number;
  /** Returns a response that is already known, so that no exchange is needed. */
  recall(request: OutboundRequest): Promise<Extract<ResponseOutcome, { type: "answered" }> | undefined>;
  /** Claims one of the slots that all workers share; undefined when all are taken. */
  claimSlot(): Promise<{ release(): Promise<void> } | undefined>;
  /** Makes the exchange. Never throws for a fault of the other side. A response has `transport` set. */
  exchange(request: OutboundRequest): Promise<ExchangeOutcome>;
  /** Called when the body of a response is stored. */
  onStored(request: OutboundRequest, answer: Answer, bodyKey: string): Promise<void>;
}

type TransportChoice =
  | { type: "direct" }
  | { type: "transport"; transport: Transport }
  | { type: "refused"; reason: string; detail: string };

/** Chooses how a request is made. Without a transport, all requests are sent to their hosts. */
export type ChooseTransport = (request: OutboundRequest) => TransportChoice;

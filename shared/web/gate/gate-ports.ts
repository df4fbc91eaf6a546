import type { Clock } from "../../core/clock.ts";
import type { AddressPolicy } from "../address/admit-url.ts";
import type { ValidatorStore } from "../chain/conditional.ts";
import type { BodyMemory, BodyPlace } from "../exchange/body-memory.ts";
import type { AnswerHead, BodyMode, ExchangeOutcome, Method, StoreMode } from "../exchange/exchange.ts";
import type { OutboundRequest } from "../request/request.ts";
import type { InboundResponse } from "../request/response.ts";
import type { RobotsStore } from "../robots/robots-store.ts";
import type { GatePolicy } from "./gate-policy.ts";
import type { DelaySettings } from "./host-delays.ts";
import type { HostPause, HostState } from "./host-state.ts";
import type { StatisticsStore } from "./host-statistics.ts";
import type { ChooseTransport } from "./transport.ts";

/** A message of a queue of requests as one invocation receives it. */
export interface GateMessage {
  messageId: string;
  /** The ARN of its queue. Absent: there is one. */
  eventSourceARN?: string;
  receiptHandle: string;
  body: string;
  /** `SentTimestamp`: milliseconds since the epoch. */
  attributes?: { MessageGroupId?: string | undefined; SentTimestamp?: string | undefined };
  /** When others may receive it: of messages that the invocation has taken itself. */
  hiddenUntilMs?: number;
}

/** One request as the gate sends it. */
interface GateExchange {
  url: string;
  /** GET when absent. */
  method?: Method;
  body?: string;
  headers: Record<string, string>;
  /** `keep` when absent. It may depend on the response. */
  bodyMode?: BodyMode | ((head: AnswerHead) => BodyMode);
  /** Stores the response as it came; `bodyMode` is without effect then. */
  capture?: StoreMode;
  /** Where a large body gets its memory. */
  place?: BodyPlace | undefined;
}

/** What the gate needs from outside. An optional port must be given as undefined, so that none is forgotten. */
export interface GatePorts {
  /**
   * Sends one request, once. Never throws for what the other side does. @throws ThrottledError when no memory is free
   * for its body
   */
  exchange(request: GateExchange): Promise<ExchangeOutcome>;
  hosts: {
    load(hostKey: string): Promise<HostState>;
    /**
     * Writes the state, without its pause, if its version is still the one read. `false`: another worker holds the
     * host.
     */
    save(state: HostState): Promise<boolean>;
  };
  /** Stores a body and returns its key. */
  storeBody(exchangeId: string, body: Uint8Array, contentType: string | undefined): Promise<string>;
  /** The same for a body that its reader alone reads: the key may be the body itself. See `message-body.ts`. */
  passBody(exchangeId: string, body: Uint8Array, contentType: string | undefined): Promise<string>;
  /**
   * Stores a body piece by piece and returns its key. A body of an earlier attempt is replaced. When the iteration throws,
   * it rejects and stores nothing.
   */
  streamBody(
    exchangeId: string,
    body: AsyncIterable<Uint8Array>,
    contentType: string | undefined,
  ): Promise<string>;
  respond(response: InboundResponse): Promise<void>;
  /** Sends the next hop of a chain to the queue of its host. */
  enqueue(request: OutboundRequest): Promise<void>;
  deadLetter(message: GateMessage, reason: string): Promise<void>;
  /** Makes every message visible again after the wait, so that the group stays closed until then. */
  returnToQueue(messages: GateMessage[], waitMs: number): Promise<void>;
  /** Whether our own network is known to be down. */
  networkIsDown(): Promise<boolean>;
  /**
   * Why a request is no longer needed when its turn comes; undefined when it is needed.
   * @param pause that of its host, if an operator has paused it
   */
  whyWithdrawn(request: OutboundRequest, pause: HostPause | undefined): Promise<string | undefined>;
  /** Says that times of a host's state were further ahead than a correct clock sets them, and were corrected. */
  reportCorrected?: (hostKey: string, times: readonly string[]) => void;
  /** The delays that operators have set for all sources. Without them the policy's delays apply. */
  delays(): Promise<DelaySettings | undefined>;
  /** Without it no robots.txt is fetched: for simulations. */
  robots: RobotsStore | undefined;
  /** Without it every request goes straight to its host. */
  chooseTransport: ChooseTransport | undefined;
  /** Without it every request is unconditional. */
  validators: ValidatorStore | undefined;
  /** Without it nothing is counted. */
  statistics: StatisticsStore | undefined;
  clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** Limits the memory of large bodies over all hosts; undefined where there is enough for each. */
  bodyMemory: BodyMemory | undefined;
  /** Whether the invocation waits so long itself; if not, the group returns to the queue. */
  waitsInside(waitMs: number): Promise<boolean>;
  /** Whether the invocation has so much time left for the host, whose messages stay hidden from others for as long. */
  hasTime(neededMs: number): Promise<boolean>;
}

export interface GateSettings {
  policy: GatePolicy;
  addresses: AddressPolicy;
  userAgent: string;
  /** Names this invocation in leases. */
  holder: string;
}

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

/** A message of a request queue, as an invocation receives it. */
export interface GateMessage {
  messageId: string;
  /** The ARN of the message's queue. Absent when there is only one queue. */
  eventSourceARN?: string;
  receiptHandle: string;
  body: string;
  /** `SentTimestamp`: milliseconds since the epoch. */
  attributes?: { MessageGroupId?: string | undefined; SentTimestamp?: string | undefined };
  /**
   * The time from which other invocations may receive the message. Set for messages that the invocation has taken from
   * the queue itself.
   */
  hiddenUntilMs?: number;
}

/** One request as the gate sends it. */
interface GateExchange {
  url: string;
  /** GET when absent. */
  method?: Method;
  body?: string;
  headers: Record<string, string>;
  /** `keep` when absent. The mode may depend on the response. */
  bodyMode?: BodyMode | ((head: AnswerHead) => BodyMode);
  /** Stores the response as it is received. `bodyMode` then has no effect. */
  capture?: StoreMode;
  /** The place that gives a large body its memory. */
  place?: BodyPlace | undefined;
}

/** The gate's ports. An optional port must be passed as undefined, so that none is forgotten. */
export interface GatePorts {
  /**
   * Sends one request, once. Never throws for a fault of the host. @throws ThrottledError when no memory is free for
   * the body
   */
  exchange(request: GateExchange): Promise<ExchangeOutcome>;
  hosts: {
    load(hostKey: string): Promise<HostState>;
    /**
     * Writes the state, without its pause, unless another worker has written since the state was read. @returns `false`
     * when another worker holds the host
     */
    save(state: HostState): Promise<boolean>;
  };
  /** Stores a body and returns its key. */
  storeBody(exchangeId: string, body: Uint8Array, contentType: string | undefined): Promise<string>;
  /**
   * Stores a body that is read only by the reader of its response. The returned key may contain the body itself; see
   * `message-body.ts`.
   */
  passBody(exchangeId: string, body: Uint8Array, contentType: string | undefined): Promise<string>;
  /**
   * Stores a body piece by piece and returns its key. It replaces the body of an earlier attempt. If the iteration
   * throws, the promise rejects and nothing is stored.
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
  /** Makes all messages visible again after the wait. Until then, their message group stays closed. */
  returnToQueue(messages: GateMessage[], waitMs: number): Promise<void>;
  /** Returns whether Ingather's own network is known to be down. */
  networkIsDown(): Promise<boolean>;
  /**
   * Returns the reason why a request is no longer needed when its turn comes.
   * @param pause the pause of its host, if an operator has paused the host
   * @returns undefined when the request is needed
   */
  whyWithdrawn(request: OutboundRequest, pause: HostPause | undefined): Promise<string | undefined>;
  /** Reports that times of a host's state were too far in the future for a correct clock, and were corrected. */
  reportCorrected?: (hostKey: string, times: readonly string[]) => void;
  /** Returns the delays that operators have set for all sources. If undefined, the policy's delays apply. */
  delays(): Promise<DelaySettings | undefined>;
  /** The store of robots.txt files. If undefined, as in simulations, no robots.txt is fetched. */
  robots: RobotsStore | undefined;
  /** Chooses a transport for each request. If undefined, every request is sent to its host. */
  chooseTransport: ChooseTransport | undefined;
  /** The store of validators. If undefined, every request is unconditional. */
  validators: ValidatorStore | undefined;
  /** The store of statistics. If undefined, nothing is counted. */
  statistics: StatisticsStore | undefined;
  clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Limits the memory of large bodies over all hosts. Undefined if there is enough memory for each host. */
  bodyMemory: BodyMemory | undefined;
  /** Returns whether the invocation itself waits for this time. If not, the group returns to the queue. */
  waitsInside(waitMs: number): Promise<boolean>;
  /**
   * Returns whether the invocation has this much time left for the host. If so, the host's messages stay hidden from
   * other invocations for that time.
   */
  hasTime(neededMs: number): Promise<boolean>;
}

export interface GateSettings {
  policy: GatePolicy;
  addresses: AddressPolicy;
  userAgent: string;
  /** The name of this invocation in leases. */
  holder: string;
}

import type { Clock } from "../../core/clock.ts";
import { parseJson } from "../../core/parse-json.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import type { AddressPolicy } from "../address/admit-url.ts";
import { hostKeyOf } from "../address/host-key.ts";
import type { ValidatorStore } from "../chain/conditional.ts";
import type { BodyMode, AnswerHead, ExchangeOutcome } from "../exchange/exchange.ts";
import type { RobotsStore } from "../robots/robots-lookup.ts";
import type { Translator } from "../translation/translator.ts";
import type { GatePolicy } from "./gate-policy.ts";
import { type DelaySettings, policyFor } from "./host-delays.ts";
import { HostConsumer, type QueuedRequest } from "./host-consumer.ts";
import type { HostState } from "./host-state.ts";
import type { StatisticsStore } from "./host-statistics.ts";
import { type OutboundRequest, outboundRequest } from "./request.ts";
import type { InboundResponse } from "./response.ts";

/** A message of `requests.fifo` in the hands of one invocation. */
export interface GateMessage {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes?: { MessageGroupId?: string | undefined };
}

/** One URL as the gate asks it. */
export interface GateExchange {
  url: string;
  headers: Record<string, string>;
  /** `keep` when absent. It may depend on the answer. */
  bodyMode?: BodyMode | ((head: AnswerHead) => BodyMode);
}

/** What the gate needs from outside. What may be left out is said to be: a port that nobody has wired is no choice. */
export interface GatePorts {
  /** Asks one URL, once; never throws for what the other side does. */
  exchange(request: GateExchange): Promise<ExchangeOutcome>;
  hosts: {
    load(hostKey: string): Promise<HostState>;
    /** Writes the state if its version is still the one read. `false`: somebody else holds the host. */
    save(state: HostState): Promise<boolean>;
  };
  /** Keeps a body and gives its key. */
  storeBody(exchangeId: string, body: Uint8Array, contentType: string | undefined): Promise<string>;
  respond(response: InboundResponse): Promise<void>;
  /** Puts the next hop of a chain into the line of its host. */
  enqueue(request: OutboundRequest): Promise<void>;
  deadLetter(message: GateMessage, reason: string): Promise<void>;
  /** Makes every message visible again after the wait, so that the group stays closed until then. */
  returnToQueue(messages: GateMessage[], waitMs: number): Promise<void>;
  /** Whether our own network is known to be down. */
  networkIsDown(): Promise<boolean>;
  /** Why a request is not wanted any more by the time of its turn; undefined when it is. */
  whyWithdrawn(request: OutboundRequest): Promise<string | undefined>;
  /** The delays that are set for all sources; where there are none, those of the policy hold. */
  delays(): Promise<DelaySettings | undefined>;
  /** Without it no robots.txt is asked for: for simulations. */
  robots: RobotsStore | undefined;
  /** Asked for articles instead of their hosts; without it the hosts are. */
  translator: Translator | undefined;
  /** Without it every request is unconditional. */
  validators: ValidatorStore | undefined;
  /** Without it nothing is counted. */
  statistics: StatisticsStore | undefined;
  clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** What is left of the invocation. */
  remainingMs(): number;
}

export interface GateSettings {
  policy: GatePolicy;
  addresses: AddressPolicy;
  userAgent: string;
  /** Names this invocation in leases. */
  holder: string;
}

/**
 * Serves the messages of one group, which are one host's, in order and one at a time, and yields those that are not done:
 * their group has been handed back. While our own network is down that is all of them, and nothing is counted. After an
 * error, which is thrown on, all have been handed back: the queue's own timeout would keep the group closed for long.
 */
export async function serveHost(
  messages: GateMessage[],
  ports: GatePorts,
  settings: GateSettings,
): Promise<GateMessage[]> {
  // A line hands back its own.
  let inConsumer: QueuedRequest[] = [];
  try {
    if (await ports.networkIsDown()) {
      await ports.returnToQueue(messages, settings.policy.networkWaitMs);
      return messages;
    }
    const entries = await readEntries(messages, ports);
    const delays = await ports.delays();
    const left: GateMessage[] = [];
    // Whoever has sent them may have put a request into another host's group.
    for (const [key, own] of Map.groupBy(entries, ({ request }) => hostKeyOf(request.url))) {
      const policy = policyFor(key, settings.policy, delays);
      const consumer = await HostConsumer.open(key, ports, { ...settings, policy });
      inConsumer = own;
      left.push(...(await consumer.serve(own)));
      inConsumer = [];
    }
    return left;
  } catch (error) {
    const others = messages.filter((message) => inConsumer.every((entry) => entry.message !== message));
    if (others.length > 0) await ports.returnToQueue(others, settings.policy.backoffBaseMs);
    throw error;
  }
}

/** The messages that are requests; the others are put aside. */
async function readEntries(messages: GateMessage[], ports: GatePorts): Promise<QueuedRequest[]> {
  const entries: QueuedRequest[] = [];
  for (const message of messages) {
    const request = readRequest(message.body);
    if (typeof request === "string") await ports.deadLetter(message, request);
    else entries.push({ message, request });
  }
  return entries;
}

function readRequest(body: string): OutboundRequest | string {
  const json = parseJson(body);
  if (json === undefined) return "the message is not JSON";
  const parsed = outboundRequest.safeParse(json);
  return parsed.success ? parsed.data : describeProblems(parsed.error);
}

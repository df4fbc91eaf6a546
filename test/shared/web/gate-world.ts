import { memoryHosts, memoryRobots, memoryValidators } from "../../../local/cli/memory/gate-stores.ts";
import { type AddressPolicy, defaultAddressPolicy } from "../../../shared/web/address/admit-url.ts";
import type { CachedAnswer } from "../../../shared/web/chain/conditional.ts";
import type { ExchangeOutcome, FailureReason } from "../../../shared/web/exchange/exchange.ts";
import { serveHost } from "../../../shared/web/gate/gate.ts";
import { type GatePolicy, gatePolicy } from "../../../shared/web/gate/gate-policy.ts";
import type { GateMessage, GatePorts } from "../../../shared/web/gate/gate-ports.ts";
import type { HostState } from "../../../shared/web/gate/host-state.ts";
import type { HostStatistics } from "../../../shared/web/gate/host-statistics.ts";
import type { NewRequest, OutboundRequest } from "../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";

export const startMs = Date.parse("2026-11-20T12:00:00Z");

interface SentRequest {
  url: string;
  headers: Record<string, string>;
  /** Since the start. */
  atMs: number;
}

/** Whatever a URL answers: the same each time, or one after the other; the last one stays. */
export type Answers = Record<string, ExchangeOutcome | ExchangeOutcome[]>;

export function answer(status: number, headers: Record<string, string> = {}, body = "body"): ExchangeOutcome {
  return { type: "answered", status, headers, body: new TextEncoder().encode(body), elapsedMs: 10 };
}

export function failure(reason: FailureReason): ExchangeOutcome {
  return { type: "failed", reason, detail: `${reason} it was`, elapsedMs: 10 };
}

/** A delay as the gate keeps it: clocks have whole milliseconds, so one is added. */
export function storedDelayMs(delayMs: number): number {
  return delayMs === 0 ? 0 : delayMs + 1;
}

export const noRobots = answer(404);

/** A gate with a clock of its own, between hosts that respond as configured and queues that only remember. */
export class GateWorld {
  nowMs = startMs;
  networkIsDown = false;
  random = 0.5;
  remainingMs = 300_000;
  readonly sent: SentRequest[] = [];
  readonly responses: InboundResponse[] = [];
  readonly enqueued: OutboundRequest[] = [];
  readonly deadLettered: { messageId: string; reason: string }[] = [];
  readonly returned: { messageIds: string[]; waitMs: number }[] = [];
  readonly hosts = new Map<string, HostState>();
  readonly validators = new Map<string, CachedAnswer>();
  readonly statistics: { hostKey: string; day: string; statistics: HostStatistics }[] = [];
  readonly policy: GatePolicy;
  readonly ports: GatePorts;
  private readonly answers: Answers;

  constructor(answers: Answers, policy: Partial<GatePolicy> = {}, change: Partial<GatePorts> = {}) {
    this.answers = answers;
    this.policy = gatePolicy({ defaultDelayMs: 1000, maxAttempts: 3, backoffBaseMs: 1000, ...policy });
    this.ports = {
      exchange: async ({ url, headers }) => this.exchange(url, headers),
      hosts: memoryHosts(this.hosts),
      storeBody: async (exchangeId) => `bodies/${exchangeId}`,
      passBody: async (exchangeId) => `bodies/${exchangeId}`,
      streamBody: async (exchangeId) => `bodies/${exchangeId}`,
      respond: async (response) => void this.responses.push(response),
      enqueue: async (request) => void this.enqueued.push(request),
      deadLetter: async ({ messageId }, reason) => void this.deadLettered.push({ messageId, reason }),
      returnToQueue: async (messages, waitMs) =>
        void this.returned.push({ messageIds: messages.map(({ messageId }) => messageId), waitMs }),
      networkIsDown: async () => this.networkIsDown,
      whyWithdrawn: async () => undefined,
      delays: async () => undefined,
      chooseTransport: undefined,
      robots: memoryRobots(),
      validators: memoryValidators(this.validators),
      statistics: {
        add: async (hostKey, day, statistics) => void this.statistics.push({ hostKey, day, statistics }),
      },
      clock: {
        now: () => new Date(this.nowMs),
        sleep: async (ms) => {
          this.nowMs += ms;
        },
      },
      random: () => this.random,
      bodyMemory: undefined,
      waitsInside: async (waitMs) => waitMs <= 2000,
      hasTime: async (neededMs) => neededMs <= this.remainingMs,
      ...change,
    };
  }

  /** Serves requests of one host; yields the ids of the messages that are not done. */
  async serve(
    requests: (Partial<NewRequest> & { url: string })[],
    addresses: Partial<AddressPolicy> = {},
  ): Promise<string[]> {
    const messages = requests.map((request, index) =>
      messageOf(`m${index + 1}`, { id: `r${index + 1}`, kind: "article", ...request }),
    );
    return this.serveMessages(messages, addresses);
  }

  async serveMessages(messages: GateMessage[], addresses: Partial<AddressPolicy> = {}): Promise<string[]> {
    const left = await serveHost(messages, this.ports, {
      policy: this.policy,
      addresses: { ...defaultAddressPolicy, ...addresses },
      userAgent: "Ingather/test",
      holder: "this",
    });
    return left.map(({ messageId }) => messageId);
  }

  /** Serves the same requests until they are done, with the waits in between that the gate asks for. */
  async serveToTheEnd(requests: Parameters<GateWorld["serve"]>[0]): Promise<void> {
    for (let rounds = 0; (await this.serve(requests)).length > 0; rounds++) {
      if (rounds === 50) throw new Error("it does not come to an end");
      this.nowMs += this.returned.at(-1)?.waitMs ?? 0;
    }
  }

  /** The paths requested, and how long after the one before. */
  get timeline(): [path: string, gapMs: number][] {
    return this.sent.map(({ url, atMs }, index) => [
      new URL(url).pathname,
      atMs - (this.sent[index - 1]?.atMs ?? 0),
    ]);
  }

  get outcomes(): unknown[] {
    return this.responses.map(({ outcome }) =>
      outcome.type === "answered" ? outcome.status : `${outcome.type} ${outcome.reason}`,
    );
  }

  private exchange(url: string, headers: Record<string, string>): ExchangeOutcome {
    this.sent.push({ url, headers, atMs: this.nowMs - startMs });
    const told = this.answers[url] ?? (url.endsWith("/robots.txt") ? noRobots : answer(200));
    const outcome = Array.isArray(told) ? (told.length > 1 ? told.shift() : told[0]) : told;
    if (outcome === undefined) throw new Error(`nothing to answer to ${url}`);
    return outcome;
  }
}

export function messageOf(messageId: string, body: unknown): GateMessage {
  return { messageId, receiptHandle: messageId, body: JSON.stringify(body) };
}

import { setTimeout } from "node:timers/promises";
import { systemClock } from "../../../shared/core/clock.ts";
import { PlatformError } from "../../../shared/core/errors.ts";
import type { AddressPolicy } from "../../../shared/web/address/admit-url.ts";
import { hostKeyOf } from "../../../shared/web/address/host-key.ts";
import type { ExchangeOutcome } from "../../../shared/web/exchange/exchange.ts";
import { createHttpClient, type HttpClient } from "../../../shared/web/exchange/http-client.ts";
import type { ProxyFor } from "../../../shared/web/exchange/proxy-environment.ts";
import type { BodyReader, BodyWriter } from "../../../shared/web/gate/bodies.ts";
import { serveHost } from "../../../shared/web/gate/gate.ts";
import { type GatePolicy, gatePolicy } from "../../../shared/web/gate/gate-policy.ts";
import type { GatePorts, GateSettings } from "../../../shared/web/gate/gate-ports.ts";
import type { DelaySettings } from "../../../shared/web/gate/host-delays.ts";
import { exchangeId, type NewRequest } from "../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { chooseTranslation } from "../../../shared/web/translation/choose-translation.ts";
import {
  createTranslationServer,
  type TranslationServer,
} from "../../../shared/web/translation/translation-server.ts";
import { Translator } from "../../../shared/web/translation/translator.ts";
import { collectBytes } from "../memory/collect-bytes.ts";
import { memoryHosts, memoryRobots, memoryValidators } from "../memory/gate-stores.ts";

interface InProcessGateOptions {
  addresses: AddressPolicy;
  userAgent: string;
  delays: DelaySettings;
  signal: AbortSignal;
  /** The translation server that reads articles, if any. */
  translationServer?: { url: URL; timeoutMs: number } | undefined;
  /** Stores streamed and captured bodies; by default, they are kept in memory. @returns the key */
  streamBody?: (key: string, body: AsyncIterable<Uint8Array>) => Promise<string>;
  /** Called for each captured response that is not the last one of its request. */
  onInterim?: (response: InboundResponse) => void;
  /** The wait after a first failure, in milliseconds; default 2 s. */
  backoffBaseMs?: number;
  /**
   * The maximum Retry-After that is obeyed; a host that asks for more is abandoned. Default: the gate
   * waits for at most a minute, whatever the host asks.
   */
  obeyedRetryAfterMs?: number;
  /** The proxies of the gate's own client; default: none. */
  proxyFor?: ProxyFor | undefined;
  /** The client that sends the requests, instead of the gate's own client. The caller must close it. */
  client?: HttpClient;
  /** Makes an exchange when it is the host's turn. Needed where other gates may request the same host. */
  inTurn?: (hostKey: string, exchange: () => Promise<ExchangeOutcome>) => Promise<ExchangeOutcome>;
  /** Replaces the gate's own policy. */
  policy?: GatePolicy;
}

/** The maximum wait. A host with a longer back-off is abandoned, because a user waits. */
const maxWaitMs = 60_000;

interface PendingRequest {
  resolve(response: InboundResponse): void;
  reject(error: unknown): void;
}

/**
 * The gate for one process, with a queue per host in memory. Delays, retries, redirects and robots.txt work
 * as in the cloud. The caller gets the response as a promise.
 */
export class InProcessGate implements BodyReader, BodyWriter {
  private readonly client: HttpClient;
  /** Whether a translation server reads the articles. */
  readonly hasTranslationServer: boolean;
  private readonly translationServer: TranslationServer | undefined;
  private readonly ports: Omit<GatePorts, "returnToQueue">;
  private readonly settings: GateSettings;
  private readonly signal: AbortSignal;
  private readonly queuesByHost = new Map<string, NewRequest[]>();
  private readonly pendingRequests = new Map<string, PendingRequest>();
  private readonly responses = new Map<string, Promise<InboundResponse>>();
  private readonly bodies = new Map<string, Uint8Array>();

  constructor(options: InProcessGateOptions) {
    const { addresses, userAgent, delays, signal, translationServer, backoffBaseMs = 2000 } = options;
    this.client = options.client ?? createHttpClient({ policy: addresses, proxyFor: options.proxyFor });
    this.signal = signal;
    const ownPolicy = gatePolicy({
      defaultDelayMs: delays.defaultDelayMs,
      maxAttempts: 2,
      backoffBaseMs,
      retryAfterMaxMs: options.obeyedRetryAfterMs ?? maxWaitMs,
      givesUpLongerRetryAfter: options.obeyedRetryAfterMs !== undefined,
      backoffMaxMs: maxWaitMs,
    });
    this.settings = { policy: options.policy ?? ownPolicy, addresses, userAgent, holder: "this process" };
    this.hasTranslationServer = translationServer !== undefined;
    this.translationServer = translationServer && createTranslationServer(translationServer);
    this.ports = {
      ...this.memoryPorts(delays, options),
      ...(options.streamBody && { streamBody: options.streamBody }),
    };
  }

  /** Queues a request for its host. Identical requests share one response. */
  fetch(request: NewRequest): Promise<InboundResponse> {
    const known = this.responses.get(request.id);
    if (known !== undefined) return known;
    const answer = new Promise<InboundResponse>((resolve, reject) => {
      this.pendingRequests.set(request.id, { resolve, reject });
    });
    this.responses.set(request.id, answer);
    this.enqueue(request);
    return answer;
  }

  /** @throws PlatformError when no body is stored under the key */
  async load(key: string): Promise<Uint8Array> {
    const body = this.bodies.get(key);
    if (body === undefined) throw new PlatformError(`no body is kept as ${key}`);
    return body;
  }

  async store(key: string, body: Uint8Array): Promise<string> {
    this.bodies.set(key, body);
    return key;
  }

  /** Deletes a response and its body, so that memory use stays constant over a million pages. */
  forget({ request, outcome }: InboundResponse): void {
    this.responses.delete(request.id);
    this.pendingRequests.delete(request.id);
    if (outcome.type === "answered" && outcome.bodyKey !== undefined) this.bodies.delete(outcome.bodyKey);
  }

  /** Deletes a body that has been read. */
  discard(key: string): void {
    this.bodies.delete(key);
  }

  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.translationServer?.close()]);
  }

  private enqueue(request: NewRequest): void {
    const host = hostKeyOf(request.url);
    const queue = this.queuesByHost.get(host);
    if (queue !== undefined) queue.push(request);
    else {
      const started = [request];
      this.queuesByHost.set(host, started);
      void this.drainQueue(host, started);
    }
  }

  /** Processes the queue of a host, one request at a time, until the queue is empty. */
  private async drainQueue(host: string, queue: NewRequest[]): Promise<void> {
    for (let [request] = queue; request !== undefined; [request] = queue) {
      let waitMs: number | undefined;
      const returnToQueue = async (_messages: unknown, ms: number) => {
        waitMs = ms;
      };
      try {
        this.signal.throwIfAborted();
        const id = exchangeId(request);
        const message = { messageId: id, receiptHandle: id, body: JSON.stringify(request) };
        await serveHost([message], { ...this.ports, returnToQueue }, this.settings);
        if (waitMs === undefined) queue.shift();
        else await this.wait(Math.min(waitMs, maxWaitMs));
      } catch (error) {
        queue.shift();
        this.pendingRequests.get(request.id)?.reject(error);
      }
    }
    this.queuesByHost.delete(host);
  }

  /** Waits. Ends early when the gate is stopped. */
  private async wait(ms: number): Promise<void> {
    await setTimeout(Math.ceil(ms), undefined, { signal: this.signal }).catch(() => {});
  }

  /** Creates the translator. The server's own limit of concurrent calls applies. */
  private createTranslator(server: TranslationServer): Translator {
    const { addresses, userAgent } = this.settings;
    return new Translator({
      server,
      slots: { claim: async () => ({ release: async () => undefined }) },
      cache: memoryValidators(),
      body: (key) => this.load(key),
      addresses,
      userAgent,
      clock: systemClock,
    });
  }

  private memoryPorts(
    delays: DelaySettings,
    { onInterim, inTurn = (_host, exchange) => exchange() }: InProcessGateOptions,
  ): Omit<GatePorts, "returnToQueue"> {
    return {
      exchange: (request) =>
        inTurn(hostKeyOf(request.url), () => this.client.exchange({ ...request, signal: this.signal })),
      hosts: memoryHosts(),
      storeBody: (key, body) => this.store(key, body),
      passBody: (key, body) => this.store(key, body),
      streamBody: async (key, body) => this.store(key, await collectBytes(body)),
      // Failures are reported immediately, because no request outlives the run.
      networkIsDown: async () => false,
      whyWithdrawn: async () => undefined,
      validators: undefined,
      statistics: undefined,
      delays: async () => delays,
      chooseTransport: chooseTranslation(
        this.translationServer && this.createTranslator(this.translationServer),
      ),
      respond: async (response) => {
        const { request, outcome } = response;
        if (outcome.type !== "refused" && outcome.isInterim) onInterim?.(response);
        else this.pendingRequests.get(request.id)?.resolve(response);
      },
      enqueue: async (next) => this.enqueue(next),
      deadLetter: async ({ body }, reason) => {
        throw new Error(`${reason}: ${body.slice(0, 200)}`);
      },
      robots: memoryRobots(),
      clock: systemClock,
      random: Math.random,
      bodyMemory: undefined,
      waitsInside: async (waitMs) => waitMs <= 2000,
      hasTime: async () => true,
    };
  }
}

import { memoryHosts, memoryRobots, memoryValidators } from "../../../local/cli/memory/gate-stores.ts";
import { readArticleResponse } from "../../../shared/harvest/article/read-article-response.ts";
import { readAuthorityResponse } from "../../../shared/harvest/authority/read-authority-response.ts";
import { readCrawledPageResponse } from "../../../shared/harvest/crawl/read-crawled-page-response.ts";
import { readDoiMetadataResponse } from "../../../shared/harvest/doi-agencies/read-doi-metadata-response.ts";
import { readMail } from "../../../shared/harvest/email/read-mail.ts";
import type { ReadMessage } from "../../../shared/harvest/listing/received-mail.ts";
import { readFeedResponse } from "../../../shared/harvest/rss/read-feed-response.ts";
import { startHarvest } from "../../../shared/harvest/start-harvest.ts";
import type { ConvertedDocument, DocumentOutcome, SourceOutcome } from "../../../shared/records/runs/run.ts";
import { buildRunId, type RunStart } from "../../../shared/records/runs/run.ts";
import { defaultAddressPolicy } from "../../../shared/web/address/admit-url.ts";
import { hostKeyOf } from "../../../shared/web/address/host-key.ts";
import { createHttpClient } from "../../../shared/web/exchange/http-client.ts";
import { serveHost } from "../../../shared/web/gate/gate.ts";
import { type GatePolicy, gatePolicy } from "../../../shared/web/gate/gate-policy.ts";
import type { GatePorts } from "../../../shared/web/gate/gate-ports.ts";
import { exchangeId, type NewRequest } from "../../../shared/web/request/request.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { chooseTranslation } from "../../../shared/web/translation/choose-translation.ts";
import {
  createTranslationServer,
  type TranslationServer,
} from "../../../shared/web/translation/translation-server.ts";
import { Translator } from "../../../shared/web/translation/translator.ts";
import { Killed } from "../memory/writes.ts";
import { MemoryPorts } from "../memory-ports.ts";
import type { MockHost } from "./mock-hosts.ts";

const start: RunStart = { deliveryMode: "LIVE", scheduledTime: "2026-11-20T19:00:00Z" };

interface WorldOptions {
  hosts: MockHost[];
  translationServer?: MockHost | undefined;
  policy?: Partial<GatePolicy>;
}

/**
 * A whole harvest in one process: the readers, the real gate and its HTTP client between mock hosts and memory. Waits
 * cost nothing: the clock jumps.
 */
export class HarvestWorld {
  readonly memory = new MemoryPorts();
  readonly received = new Map<string, Uint8Array>();
  readonly read = new Map<string, ReadMessage>();
  /** When each URL was requested, in milliseconds since the start. */
  readonly requestedAtMs: [url: string, atMs: number][] = [];
  readonly deliveries: string[] = [];
  /** After how many writes each function dies the first time. */
  killAfter: { writes: number; before: boolean } | undefined;
  private readonly bodies = new Map<string, Uint8Array>();
  private readonly queuesByHost = new Map<string, NewRequest[]>();
  private readonly sent = new Set<string>();
  private readonly responses: InboundResponse[] = [];
  private readonly mails: { id: string; runId: string; sourceId: string }[] = [];
  private readonly hosts = memoryHosts();
  private readonly validators = memoryValidators();
  private readonly robots = memoryRobots();
  private readonly server: TranslationServer | undefined;
  private readonly client: ReturnType<typeof createHttpClient>;
  private readonly policy: GatePolicy;
  private readonly addresses: typeof defaultAddressPolicy;
  private nowMs = Date.parse("2026-11-20T19:00:00Z");
  private readonly clock = {
    now: () => new Date(this.nowMs),
    sleep: async (ms: number) => {
      this.nowMs += ms;
    },
  };

  constructor({ hosts, translationServer, policy = {} }: WorldOptions) {
    this.addresses = {
      ...defaultAddressPolicy,
      allowedPrivateHosts: new Set(hosts.map(({ hostKey }) => hostKey)),
    };
    this.client = createHttpClient({ policy: this.addresses });
    this.server = translationServer && this.watched(translationServer);
    this.policy = gatePolicy({ defaultDelayMs: 0, maxAttempts: 1, backoffBaseMs: 1000, ...policy });
  }

  private watched({ origin }: MockHost): TranslationServer {
    const server = createTranslationServer({ url: new URL(origin), timeoutMs: 60_000 });
    const translate: TranslationServer["translate"] = (call) => {
      this.requestedAtMs.push([call.url, this.nowMs]);
      return server.translate(call);
    };
    return { ...server, translate };
  }

  /** Harvests all live sources to the end of the run, and returns the outcome. */
  async harvest(
    start_: Partial<RunStart> = {},
  ): Promise<{ sources: SourceOutcome[]; documents: DocumentOutcome[] }> {
    const given = { ...start, ...start_ };
    await this.withRestart(() => startHarvest(given, this.ports()));
    while ((await this.processResponses()) || (await this.serveHosts()));
    await this.client.close();
    await this.server?.close();
    const runId = buildRunId(given);
    const documents: DocumentOutcome[] = [];
    for await (const page of this.memory.runs.outcomeBatches(runId)) documents.push(...page);
    return { sources: await this.memory.runs.sourceOutcomes(runId), documents };
  }

  /** 245 $a and every 856 $u of the records, in the order of their titles. */
  recordsOf(documents: DocumentOutcome[]): [title: string, urls: string[]][] {
    return documents
      .filter((document): document is ConvertedDocument => document.state === "converted")
      .map(({ recordKey }): [string, string[]] => {
        const fields = this.memory.marcByKey.get(recordKey)?.fields ?? [];
        const values = (tag: string, code: string) =>
          fields.flatMap(([t, , subfields]) =>
            t === tag ? subfields.filter(([c]) => c === code).map(([, value]) => value) : [],
          );
        return [values("245", "a")[0] ?? "", values("856", "u").sort()];
      })
      .sort(([a], [b]) => a.localeCompare(b));
  }

  /** Lets the process die at the write that is to be its last one, and does the work again. */
  private async withRestart(work: () => Promise<void>): Promise<void> {
    if (this.killAfter === undefined) return work();
    this.memory.dieAfter(this.killAfter.writes, this.killAfter);
    await work().catch((error) => {
      if (!(error instanceof Killed)) throw error;
    });
    this.memory.live();
    await work();
  }

  private async processResponses(): Promise<boolean> {
    let hasRead = false;
    for (let mail = this.mails.shift(); mail !== undefined; mail = this.mails.shift()) {
      const reading = mail;
      await this.withRestart(() => readMail(reading, this.ports()));
      hasRead = true;
    }
    for (let response = this.responses.shift(); response !== undefined; response = this.responses.shift()) {
      const read = this.readerOf(response);
      const answer = response;
      await this.withRestart(() => read(answer, this.ports()));
      hasRead = true;
    }
    return hasRead;
  }

  private readerOf({ request: { kind } }: InboundResponse) {
    if (kind === "feed") return readFeedResponse;
    if (kind === "page") return readCrawledPageResponse;
    if (kind === "article") return readArticleResponse;
    if (kind === "authority") return readAuthorityResponse;
    if (kind === "doi-metadata") return readDoiMetadataResponse;
    throw new Error(`nobody reads ${kind}`);
  }

  /** Serves every host once, and lets the time pass that they ask for. */
  private async serveHosts(): Promise<boolean> {
    let waitMs = 0;
    const gatePorts = this.gatePorts((ms) => {
      waitMs = Math.max(waitMs, ms);
    });
    let hasAsked = false;
    for (const [host, line] of this.queuesByHost) {
      const batch = line.splice(0);
      if (batch.length === 0) continue;
      hasAsked = true;
      const messages = batch.map((request) => ({
        messageId: request.id,
        receiptHandle: request.id,
        body: JSON.stringify(request),
      }));
      const settings = {
        policy: this.policy,
        addresses: this.addresses,
        userAgent: "Ingather/test",
        holder: "this",
      };
      const left = new Set(
        (await serveHost(messages, gatePorts, settings)).map(({ messageId }) => messageId),
      );
      this.queuesByHost.set(host, [...batch.filter(({ id }) => left.has(id)), ...line]);
    }
    this.nowMs += waitMs;
    return hasAsked;
  }

  private enqueue(requests: NewRequest[]): void {
    for (const request of requests) {
      // As a FIFO queue does.
      if (this.sent.has(exchangeId(request))) continue;
      this.sent.add(exchangeId(request));
      const host = hostKeyOf(request.url);
      this.queuesByHost.set(host, [...(this.queuesByHost.get(host) ?? []), request]);
    }
  }

  private ports() {
    return {
      ...this.memory,
      articles: { send: async (response: InboundResponse) => void this.responses.push(response) },
      clock: this.clock,
      bodies: {
        load: async (key: string) => this.bodies.get(key) ?? new Uint8Array(),
        store: async (key: string, content: Uint8Array) => {
          this.bodies.set(key, content);
          return key;
        },
      },
      requests: { send: async (requests: NewRequest[]) => this.enqueue(requests) },
      mail: {
        send: async (message: { id: string; runId: string; sourceId: string }) =>
          void this.mails.push(message),
      },
      received: this.receivedMail(),
      delivery: { send: async ({ runId }: { runId: string }) => void this.deliveries.push(runId) },
      stageQueues: {
        validate: { send: async () => {} },
        upload: { send: async () => {} },
        archive: { send: async () => {} },
        overdue: { send: async () => {} },
        report: { send: async () => {} },
      },
      deadlines: { schedule: async () => {} },
      detectLanguage: async () => ({ type: "unknown" }) as const,
      runDeadlineMinutes: 180,
      softDeadlineMinutes: 0,
      timeZone: "UTC",
    };
  }

  private receivedMail() {
    return {
      unread: async (sourceId: string) =>
        [...this.received]
          .filter(([key]) => !this.read.has(`${sourceId} ${key}`))
          .map(([key, { byteLength }]) => ({ key, sizeBytes: byteLength })),
      message: async (key: string) => this.received.get(key) ?? new Uint8Array(),
      markRead: async (sourceId: string, key: string, message: ReadMessage) => {
        if (!this.read.has(`${sourceId} ${key}`)) this.read.set(`${sourceId} ${key}`, message);
      },
      readSince: async (sourceId: string) =>
        [...this.read].filter(([key]) => key.startsWith(`${sourceId} `)).map(([, message]) => message),
    };
  }

  private gatePorts(handedBack: (waitMs: number) => void): GatePorts {
    const cache = this.validators;
    const translator =
      this.server &&
      new Translator({
        server: this.server,
        slots: { claim: async () => ({ release: async () => {} }) },
        cache,
        body: async (key) => this.bodies.get(key) ?? new Uint8Array(),
        addresses: this.addresses,
        userAgent: "Ingather/test",
        clock: this.clock,
      });
    return {
      exchange: (request) => {
        this.requestedAtMs.push([request.url, this.nowMs]);
        return this.client.exchange(request);
      },
      hosts: this.hosts,
      storeBody: async (key, body) => {
        this.bodies.set(`bodies/${key}`, body);
        return `bodies/${key}`;
      },
      passBody: async (key, body) => {
        this.bodies.set(`bodies/${key}`, body);
        return `bodies/${key}`;
      },
      streamBody: async () => {
        throw new Error("no harvest streams bodies");
      },
      respond: async (response) => void this.responses.push(structuredClone(response)),
      enqueue: async (request) => this.enqueue([request]),
      deadLetter: async (message, reason) => {
        throw new Error(`put aside (${reason}): ${message.body}`);
      },
      returnToQueue: async (_messages, waitMs) => handedBack(waitMs),
      robots: this.robots,
      networkIsDown: async () => false,
      whyWithdrawn: async () => undefined,
      delays: async () => undefined,
      validators: cache,
      chooseTransport: chooseTranslation(translator),
      statistics: undefined,
      clock: this.clock,
      random: () => 0.5,
      bodyMemory: undefined,
      waitsInside: async (waitMs) => waitMs <= 2000,
      hasTime: async (neededMs) => neededMs <= 300_000,
    };
  }
}

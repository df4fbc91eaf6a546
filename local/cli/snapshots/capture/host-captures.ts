import { join } from "node:path";
import { digest } from "../../../../shared/core/digest.ts";
import { capturedAnswer, originalOfAnswer } from "../../../../shared/snapshots/capture/capture-outcome.ts";
import { Scope } from "../../../../shared/snapshots/capture/scope.ts";
import { wantedLinks } from "../../../../shared/snapshots/capture/wanted-links.ts";
import { interimUrl, type WantedUrl } from "../../../../shared/snapshots/capture/wanted-url.ts";
import { WarcWriter } from "../../../../shared/snapshots/warc/warc-writer.ts";
import { allowingHostsOf } from "../../../../shared/web/address/admit-url.ts";
import {
  capturedObject,
  type InboundResponse,
  type ResponseOutcome,
} from "../../../../shared/web/request/response.ts";
import { InProcessGate } from "../../harvest/in-process-gate.ts";
import { type OpenIndex, openIndex } from "../index/open-index.ts";
import type { CapturePlan, CommittedExchange } from "./capture-folder.ts";
import { HostTurns } from "./host-turns.ts";
import { type ReadyExchange, recordsOf, writtenExchange } from "./ready-exchange.ts";
import { Spool } from "./spool.ts";
import { openWarc, spoolFolder } from "./warc-files.ts";

/** The settings that all threads of a capture share. */
export interface CaptureSettings {
  plan: CapturePlan;
  folder: string;
  /** The prefix of the names of WARC files. */
  warcPrefix: string;
  maxWarcBytes: number;
  /** The number of the next WARC file, in memory that the threads share. */
  serial: Int32Array<SharedArrayBuffer>;
  /** The slots of `HostTurns`. */
  turns: Int32Array<SharedArrayBuffer>;
  indexFolder: string | undefined;
  userAgent: string;
  delayMs: number;
  /** Whether the hosts of the seeds may be private. */
  allowPrivate: boolean;
}

/** The events that report the outcome of each URL. */
export interface CaptureEvents {
  /** Called after the records of these exchanges have been written. */
  onWritten(exchanges: readonly CommittedExchange[]): void;
  /** Called when the capture was stopped before a URL had a response. */
  onStopped(url: string): void;
  onError(error: unknown): void;
}

/** The maximum Crawl-delay that is obeyed. */
const maxCrawlDelayMs = 30_000;

/**
 * The maximum Retry-After that is obeyed. A host that asks for more is not requested for as long as it asks.
 */
const maxRetryAfterMs = 3_600_000;

/**
 * Captures the URLs of some hosts, one request at a time per host, and writes the records into separate WARC
 * files.
 */
export class HostCaptures {
  private readonly settings: CaptureSettings;
  private readonly events: CaptureEvents;
  private readonly signal: AbortSignal;
  private readonly spool: Spool;
  private readonly gate: InProcessGate;
  private readonly scope: Scope;
  private readonly writer: WarcWriter;
  private readonly index: OpenIndex | undefined;
  /** Exchanges whose records must be written. */
  private readonly ready: ReadyExchange[] = [];
  private writing: Promise<void> | undefined;
  /** The URLs in progress by request id, and the writes of their earlier exchanges. */
  private readonly running = new Map<string, { wanted: WantedUrl; interims: Promise<void>[] }>();

  /** Opens the captures. @throws ConfigError if the index folder has no index */
  static async open(
    settings: CaptureSettings,
    events: CaptureEvents,
    signal: AbortSignal,
  ): Promise<HostCaptures> {
    const { indexFolder } = settings;
    const index = indexFolder === undefined ? undefined : await openIndex(indexFolder);
    return new HostCaptures(settings, { events, signal, index });
  }

  private constructor(
    settings: CaptureSettings,
    given: { events: CaptureEvents; signal: AbortSignal; index: OpenIndex | undefined },
  ) {
    const { plan, folder, userAgent, delayMs, allowPrivate } = settings;
    this.settings = settings;
    this.events = given.events;
    this.signal = given.signal;
    this.index = given.index;
    this.scope = new Scope(plan);
    this.spool = new Spool((key) => join(folder, spoolFolder, key));
    const turns = new HostTurns(settings.turns);
    this.gate = new InProcessGate({
      addresses: allowingHostsOf(allowPrivate ? plan.seeds.map((seed) => new URL(seed)) : []),
      userAgent,
      delays: { defaultDelayMs: delayMs, maxDelayMs: Math.max(delayMs, maxCrawlDelayMs), hostDelays: {} },
      signal: given.signal,
      obeyedRetryAfterMs: maxRetryAfterMs,
      streamBody: this.spool.store,
      inTurn: (host, exchange) => turns.take(host, exchange),
      onInterim: (response) => {
        const running = this.running.get(response.request.id);
        running?.interims.push(
          this.writeInterim(running.wanted, response.outcome).catch(given.events.onError),
        );
      },
    });
    this.writer = new WarcWriter({
      prefix: settings.warcPrefix,
      maxFileBytes: settings.maxWarcBytes,
      info: [
        ["software", "Ingather"],
        ["http-header-user-agent", userAgent],
        ["robots", "obey"],
        ["description", `seeds: ${plan.seeds.join(" ")}`],
      ],
      nextSerial: () => Atomics.add(settings.serial, 0, 1),
      now: () => new Date(),
      open: (filename) => openWarc(folder, filename),
    });
  }

  /** Captures a URL. Its outcome is reported by the events. @param maxBytes the maximum size of its body */
  capture(wanted: WantedUrl, maxBytes: number): void {
    this.request(wanted, maxBytes).catch(this.events.onError);
  }

  /** Completes the WARC files. Must not be called before all captures have ended. */
  async close(): Promise<void> {
    await this.writing?.catch(() => {});
    await this.writer.close();
    await this.gate.close();
    await this.index?.close();
  }

  private async request(wanted: WantedUrl, maxBytes: number): Promise<void> {
    const { userAgent, delayMs } = this.settings;
    const id = digest(wanted.url);
    const interims: Promise<void>[] = [];
    this.running.set(id, { wanted, interims });
    let response: InboundResponse;
    try {
      response = await this.gate.fetch({
        id,
        kind: "page",
        url: wanted.url,
        headers: { accept: "*/*" },
        userAgent,
        throttleMs: delayMs,
        bodyPolicy: { type: "capture", maxBytes },
      });
    } catch (error) {
      // A URL without a response is requested when the capture is resumed.
      if (this.signal.aborted) return this.events.onStopped(wanted.url);
      throw error;
    } finally {
      this.running.delete(id);
    }
    await Promise.all(interims);
    const exchange = await this.prepare(wanted, response.outcome);
    this.gate.forget(response);
    await this.write(exchange);
  }

  /**
   * Writes a response that is not the last one of its request: a failed attempt, or the robots.txt before it.
   */
  private async writeInterim(wanted: WantedUrl, outcome: ResponseOutcome): Promise<void> {
    const asked = interimUrl(wanted, capturedObject(outcome)?.url ?? wanted.url);
    const { answered } = await this.prepare(asked, outcome);
    if (answered !== undefined)
      await this.write({ wanted: asked, outcome, found: [], answered, isInterim: true });
  }

  private async write(exchange: ReadyExchange): Promise<void> {
    this.ready.push(exchange);
    this.writing ??= this.writeReady().finally(() => {
      this.writing = undefined;
    });
    await this.writing;
  }

  private async prepare(wanted: WantedUrl, outcome: ResponseOutcome): Promise<ReadyExchange> {
    const answer = capturedAnswer(wanted, outcome, (key) => this.spool.chunks(key));
    if (answer === undefined) return { wanted, outcome, found: [] };
    const links = await wantedLinks(wanted, answer, {
      scope: this.scope,
      start: (key, maxBytes) => this.spool.start(key, maxBytes),
    });
    const index = this.index?.index;
    const original = index && (await originalOfAnswer(answer, (url, digest) => index.lookup(url, digest)));
    const { wanted: found, unread } = links;
    const hasUnread = unread.dropped > 0 || unread.isCut;
    return { wanted, outcome, found, answered: { answer, original }, ...(hasUnread && { unread }) };
  }

  /** Writes the ready exchanges in batches, until there are none left. */
  private async writeReady(): Promise<void> {
    while (this.ready.length > 0) {
      const exchanges = this.ready.splice(0);
      const answered = exchanges.flatMap((each) => each.answered ?? []);
      const places = await this.writer.write(
        answered.map(({ answer, original }) => recordsOf(answer, original)),
      );
      const placesOf = new Map(answered.map((each, index) => [each, places[index] ?? []]));
      for (const { answer } of answered) await this.spool.remove(answer.key);
      this.events.onWritten(
        exchanges.map((each) => writtenExchange(each, each.answered && placesOf.get(each.answered))),
      );
    }
  }
}

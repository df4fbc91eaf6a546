import { randomUUID } from "node:crypto";
import { digest } from "../../../shared/core/digest.ts";
import {
  type CapturedAnswer,
  capturedAnswer,
  mayBeDuplicate,
  type WantedUrl,
} from "../../../shared/snapshots/capture/capture-outcome.ts";
import { discoverLinks, mayHaveLinks } from "../../../shared/snapshots/capture/discover-links.ts";
import { Frontier } from "../../../shared/snapshots/capture/frontier.ts";
import { isRobots, withRobots } from "../../../shared/snapshots/capture/prerequisite.ts";
import { Scope } from "../../../shared/snapshots/capture/scope.ts";
import type { DeduplicationIndex } from "../../../shared/snapshots/index/deduplication-index.ts";
import type { IndexEntry } from "../../../shared/snapshots/index/join-captures.ts";
import { WarcWriter } from "../../../shared/snapshots/warc/warc-writer.ts";
import { bodyOfCapture } from "../../../shared/web/exchange/captured-body.ts";
import { describeUnusableOutcome, type InboundResponse } from "../../../shared/web/gate/response.ts";
import type { InProcessGate } from "../../harvest/in-process-gate.ts";
import type { CaptureFolder, CapturePlan } from "./capture-folder.ts";
import { committedExchange, type ReadyExchange, recordsOf } from "./ready-exchange.ts";
import type { Spool } from "./spool.ts";

export interface CaptureLimits {
  maxObjects: number;
  /** Of bodies as they came. */
  maxBytes: number;
  maxWarcBytes: number;
}

export interface CaptureCounts {
  /** URLs that were requested, answered or not, without robots.txt. */
  fetched: number;
  failed: number;
  /** Written as a reference to an earlier capture. */
  duplicates: number;
  bytes: number;
  /** URLs that were found and not requested yet. */
  waiting: number;
}

interface CaptureOptions {
  plan: CapturePlan;
  limits: CaptureLimits;
  folder: CaptureFolder;
  gate: InProcessGate;
  /** Where the gate stores answers. */
  spool: Spool;
  index: DeduplicationIndex | undefined;
  userAgent: string;
  delayMs: number;
  signal: AbortSignal;
  onProgress(counts: CaptureCounts, url: string): void;
  /** Called for each URL of the plan that could not be captured. */
  onSeedFailure(url: string, reason: string): void;
}

/** Hosts that are asked at the same time, each for one URL. */
const maxHosts = 64;

/** Links are read from the beginning of a resource of this size. */
const maxLinkBytes = 8 * 1024 * 1024;

const software = "Ingather";

/** Captures the sites of the seeds into WARC files: each URL once, one request at a time per host. */
export class SiteCapture {
  readonly counts: CaptureCounts = { fetched: 0, failed: 0, duplicates: 0, bytes: 0, waiting: 0 };
  private readonly options: CaptureOptions;
  private readonly frontier = new Frontier();
  private readonly scope: Scope;
  private readonly writer: WarcWriter;
  private readonly busyHosts = new Set<string>();
  /** Exchanges whose records are to be written. */
  private readonly ready: ReadyExchange[] = [];
  private writing: Promise<void> | undefined;

  constructor(options: CaptureOptions) {
    this.options = options;
    const { folder, plan, limits, userAgent } = options;
    this.scope = new Scope(plan);
    const info = [
      ["software", software],
      ["http-header-user-agent", userAgent],
      ["robots", "obey"],
      ["description", `seeds: ${plan.seeds.join(" ")}`],
    ] as const;
    this.writer = new WarcWriter(
      {
        // With milliseconds, as Heritrix: captures of one second may be packed together.
        prefix: `INGATHER-${new Date().toISOString().replaceAll(/\D/g, "")}`,
        maxFileBytes: limits.maxWarcBytes,
        info,
        newId: () => `urn:uuid:${randomUUID()}`,
        now: () => new Date(),
        open: (filename) => folder.openWarc(filename),
      },
      folder.nextSerial,
    );
    this.restore();
  }

  /** @returns whether nothing is left: not so when a limit was reached, or when it was stopped */
  async run(): Promise<boolean> {
    try {
      await new Promise<void>((resolve, reject) => this.start(resolve, reject));
    } finally {
      await this.writing?.catch(() => {});
      await this.writer.close();
      this.options.folder.close();
    }
    return this.frontier.size === 0;
  }

  /** What an earlier part of this capture has found and fetched. */
  private restore(): void {
    const { folder, plan } = this.options;
    const done = new Set(folder.earlier.map(({ url }) => url));
    const wanted = [
      ...plan.seeds.map((url) => ({ url, hops: "" })),
      ...folder.earlier.flatMap(({ found }) => found),
    ];
    for (const url of done) this.frontier.exclude(url);
    for (const each of wanted) this.want(each);
    this.counts.fetched = folder.earlier.filter(({ url }) => !isRobots(url)).length;
    for (const { bytes } of folder.earlier) this.counts.bytes += bytes;
  }

  /** Adds a URL, and before it the robots.txt of its origin. @returns what is new */
  private want(wanted: WantedUrl): WantedUrl[] {
    return withRobots([wanted]).filter((each) => this.frontier.add(each));
  }

  /** Gives each host that has a URL waiting a request, as long as there is room. */
  private start(resolve: () => void, reject: (error: unknown) => void): void {
    const next = () => {
      for (const host of this.frontier.hosts()) {
        if (this.busyHosts.size >= maxHosts || this.isOver) break;
        if (this.busyHosts.has(host)) continue;
        const wanted = this.frontier.take(host);
        if (wanted === undefined) continue;
        this.busyHosts.add(host);
        this.capture(wanted).then(() => {
          this.busyHosts.delete(host);
          next();
        }, reject);
      }
      if (this.busyHosts.size === 0) resolve();
    };
    next();
  }

  private get isOver(): boolean {
    const { limits, signal } = this.options;
    return (
      signal.aborted ||
      this.counts.fetched + this.busyHosts.size >= limits.maxObjects ||
      this.counts.bytes >= limits.maxBytes
    );
  }

  private async capture(wanted: WantedUrl): Promise<void> {
    const { gate, userAgent, delayMs, limits, signal } = this.options;
    let response: InboundResponse;
    try {
      response = await gate.fetch({
        id: digest(wanted.url),
        kind: "page",
        url: wanted.url,
        headers: { accept: "*/*" },
        userAgent,
        throttleMs: delayMs,
        bodyPolicy: { type: "capture", maxBytes: Math.max(1, limits.maxBytes - this.counts.bytes) },
      });
    } catch (error) {
      // A URL that was not answered stays wanted by the next part of this capture.
      if (signal.aborted) return;
      throw error;
    }
    await this.write(await this.prepare(wanted, response));
    gate.forget(response);
  }

  /** Reads an answer, and adds what it refers to to the frontier. */
  private async prepare(
    wanted: WantedUrl,
    { outcome, ...response }: InboundResponse,
  ): Promise<ReadyExchange> {
    const { spool } = this.options;
    const key = outcome.type === "answered" ? outcome.bodyKey : undefined;
    const answer = key && capturedAnswer(wanted, { outcome, ...response }, () => spool.chunks(key));
    if (key === undefined || !answer) return { wanted, outcome, found: [] };
    const headers = outcome.type === "answered" ? outcome.headers : {};
    const found = await this.find(wanted, { answer, headers, key });
    return { wanted, outcome, found, answered: { answer, key, original: await this.lookup(answer) } };
  }

  /** Writes an exchange together with others that are ready meanwhile. */
  private write(exchange: ReadyExchange): Promise<void> {
    this.ready.push(exchange);
    this.writing ??= this.writeReady().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeReady(): Promise<void> {
    while (this.ready.length > 0) {
      const exchanges = this.ready.splice(0);
      const answered = exchanges.flatMap((each) => each.answered ?? []);
      const places = await this.writer.write(
        answered.map(({ answer, original }) => recordsOf(answer, original)),
      );
      const placesOf = new Map(answered.map((each, index) => [each, places[index] ?? []]));
      const { folder, spool } = this.options;
      folder.commit(
        exchanges.map((each) => committedExchange(each, each.answered && placesOf.get(each.answered))),
      );
      for (const { key } of answered) await spool.remove(key);
      for (const each of exchanges) this.count(each);
    }
  }

  private count({ wanted, outcome, answered }: ReadyExchange): void {
    const { plan, onProgress, onSeedFailure } = this.options;
    // No limit counts a robots.txt.
    const objects = isRobots(wanted.url) ? 0 : 1;
    this.counts.fetched += objects;
    this.counts.waiting = this.frontier.size;
    if (answered === undefined) {
      this.counts.failed += objects;
      if (plan.seeds.includes(wanted.url)) onSeedFailure(wanted.url, describeUnusableOutcome(outcome));
    } else {
      this.counts.bytes += answered.answer.bodyBytes;
      if (answered.original !== undefined) this.counts.duplicates += 1;
    }
    onProgress(this.counts, wanted.url);
  }

  /** The earlier capture with this content. A lookup that fails means that there is none. */
  private async lookup(answer: CapturedAnswer): Promise<IndexEntry | undefined> {
    const { index } = this.options;
    const { url, payloadDigest } = answer.exchange;
    if (index === undefined || payloadDigest === undefined || !mayBeDuplicate(answer)) return undefined;
    return index.lookup(url, payloadDigest.slice(payloadDigest.indexOf(":") + 1)).catch(() => undefined);
  }

  /** The URLs that a captured answer adds to the capture. */
  private async find(
    { url, hops }: WantedUrl,
    given: { answer: CapturedAnswer; headers: Record<string, string>; key: string },
  ): Promise<WantedUrl[]> {
    const { answer, headers, key } = given;
    const body = mayHaveLinks(answer.contentType)
      ? await bodyOfCapture(await this.options.spool.start(key, maxLinkBytes))
      : new Uint8Array();
    const found: WantedUrl[] = [];
    for (const link of discoverLinks({ url, headers, body })) {
      const decision = this.scope.check(link, hops);
      if (!("hops" in decision)) continue;
      found.push(...this.want({ url: link.url, hops: decision.hops, via: url }));
    }
    return found;
  }
}

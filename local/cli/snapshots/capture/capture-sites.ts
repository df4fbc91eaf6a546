import { Frontier } from "../../../../shared/snapshots/capture/frontier.ts";
import { isRobots, withRobots } from "../../../../shared/snapshots/capture/prerequisite.ts";
import type { WantedUrl } from "../../../../shared/snapshots/capture/wanted-url.ts";
import type { HarvestLimits } from "../../../../shared/snapshots/definitions/definition.ts";
import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";
import type { CaptureFolder, JournalEntry } from "./capture-folder.ts";
import { CaptureThreads } from "./capture-threads.ts";
import type { CaptureSettings } from "./host-captures.ts";
import { HostTurns } from "./host-turns.ts";
import type { WrittenExchange } from "./ready-exchange.ts";

export type CaptureLimits = Pick<HarvestLimits, "maxObjects" | "maxBytes" | "maxObjectBytes">;

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

interface CaptureOptions extends Omit<CaptureSettings, "folder" | "warcPrefix" | "serial" | "turns"> {
  limits: CaptureLimits;
  folder: CaptureFolder;
  /** The threads of this process, at most. */
  threads: number;
  signal: AbortSignal;
  onProgress(counts: CaptureCounts, url: string): void;
  /** Called for each URL of the plan that could not be captured. */
  onSeedFailure(url: string, reason: string): void;
}

/** Hosts that are asked at the same time, each for one URL. */
const maxHosts = 64;

/**
 * Captures the sites of the seeds into WARC files: each URL once, one request at a time per host. This thread decides
 * what is requested, and writes the lists of the capture; others may request, too.
 */
export class SiteCapture {
  readonly counts: CaptureCounts = { fetched: 0, failed: 0, duplicates: 0, bytes: 0, waiting: 0 };
  private readonly options: CaptureOptions;
  private readonly frontier = new Frontier();
  private readonly seeds: ReadonlySet<string>;
  private readonly busyHosts = new Set<string>();
  private readonly failed = new AbortController();
  private readonly ended = Promise.withResolvers<void>();

  constructor(options: CaptureOptions) {
    this.options = options;
    this.seeds = new Set(options.plan.seeds);
    this.restore();
  }

  /** @returns whether nothing is left: not so when a limit was reached, or when it was stopped */
  async run(): Promise<boolean> {
    const { folder } = this.options;
    try {
      const threads = await this.openThreads();
      try {
        this.requestNext(threads);
        await this.ended.promise;
      } finally {
        await threads.close();
      }
    } finally {
      folder.close();
    }
    return this.frontier.size === 0;
  }

  private async openThreads(): Promise<CaptureThreads> {
    const { plan, folder, threads: count, signal, ...rest } = this.options;
    const { maxWarcBytes, indexFolder, userAgent, delayMs, allowPrivate } = rest;
    const serial = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    serial[0] = folder.nextSerial;
    const threads: CaptureThreads = await CaptureThreads.open(
      {
        plan,
        folder: folder.folder,
        // With milliseconds, as Heritrix: captures of one second may be packed together.
        warcPrefix: `INGATHER-${new Date().toISOString().replaceAll(/\D/g, "")}`,
        maxWarcBytes,
        serial,
        turns: HostTurns.slots(),
        indexFolder,
        userAgent,
        delayMs,
        allowPrivate,
      },
      {
        count,
        signal: AbortSignal.any([signal, this.failed.signal]),
        events: {
          onWritten: (exchanges) => {
            this.commit(exchanges);
            this.requestNext(threads);
          },
          onStopped: (url) => {
            this.busyHosts.delete(hostKeyOf(url));
            this.requestNext(threads);
          },
          onError: (error) => {
            this.failed.abort();
            this.ended.reject(error);
          },
        },
      },
    );
    return threads;
  }

  /** What an earlier part of this capture has found and fetched. */
  private restore(): void {
    const { folder, plan } = this.options;
    for (const { url, isInterim } of folder.earlier()) if (!isInterim) this.frontier.exclude(url);
    this.want(plan.seeds.map((url) => ({ url, hops: "" })));
    for (const entry of folder.earlier()) {
      this.want(entry.found);
      this.count(entry);
    }
  }

  /** Adds URLs, and before the first one of each origin its robots.txt. @returns what is new */
  private want(wanted: readonly WantedUrl[]): WantedUrl[] {
    return withRobots(wanted).filter((each) => this.frontier.add(each));
  }

  /** Requests a URL of each host that has one waiting, as long as there is room. */
  private requestNext(threads: CaptureThreads): void {
    const { limits } = this.options;
    for (const host of this.frontier.hosts()) {
      if (this.busyHosts.size >= maxHosts || this.isOver) break;
      if (this.busyHosts.has(host)) continue;
      const wanted = this.frontier.take(host);
      if (wanted === undefined) continue;
      this.busyHosts.add(host);
      const left = limits.maxBytes - this.counts.bytes;
      threads.capture({ wanted, maxBytes: Math.max(1, Math.min(left, limits.maxObjectBytes)) });
    }
    if (this.busyHosts.size === 0) this.ended.resolve();
  }

  private get isOver(): boolean {
    const { limits, signal } = this.options;
    return (
      signal.aborted ||
      this.failed.signal.aborted ||
      this.counts.fetched + this.busyHosts.size >= limits.maxObjects ||
      this.counts.bytes >= limits.maxBytes
    );
  }

  /** Enters exchanges, whose records are written, into the lists, with what they add to the capture. */
  private commit(exchanges: readonly WrittenExchange[]): void {
    const { folder, onProgress, onSeedFailure } = this.options;
    folder.commit(
      exchanges.map(({ entry, ...rest }) => ({
        ...rest,
        entry: { ...entry, found: this.want(entry.found) },
      })),
    );
    for (const { entry, failure } of exchanges) {
      this.count(entry);
      if (entry.isInterim) continue;
      this.busyHosts.delete(hostKeyOf(entry.url));
      this.counts.waiting = this.frontier.size;
      if (failure !== undefined && this.seeds.has(entry.url)) onSeedFailure(entry.url, failure);
      onProgress(this.counts, entry.url);
    }
  }

  private count({ url, bytes, isInterim, isDuplicate, isFailed }: JournalEntry): void {
    this.counts.bytes += bytes;
    if (isDuplicate) this.counts.duplicates += 1;
    // No limit counts a robots.txt.
    if (isInterim || isRobots(url)) return;
    this.counts.fetched += 1;
    if (isFailed) this.counts.failed += 1;
  }
}

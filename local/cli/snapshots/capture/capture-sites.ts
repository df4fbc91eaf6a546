import { Frontier } from "../../../../shared/snapshots/capture/frontier.ts";
import { isRobots, withRobots } from "../../../../shared/snapshots/capture/prerequisite.ts";
import type { WantedUrl } from "../../../../shared/snapshots/capture/wanted-url.ts";
import type { HarvestLimits } from "../../../../shared/snapshots/definitions/definition.ts";
import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";
import type { CaptureFolder, CommittedExchange, JournalEntry } from "./capture-folder.ts";
import { CaptureThreads } from "./capture-threads.ts";
import type { CaptureSettings } from "./host-captures.ts";
import { HostTurns } from "./host-turns.ts";

export type CaptureLimits = Pick<HarvestLimits, "maxObjects" | "maxBytes" | "maxObjectBytes">;

export interface CaptureCounts {
  /** The number of URLs that were requested, with or without a response. Excludes robots.txt. */
  fetched: number;
  failed: number;
  /** The number of seeds without a response, or with an error status. */
  failedSeeds: number;
  /** The number of responses that were written as references to earlier captures. */
  duplicates: number;
  bytes: number;
  /** The number of URLs that were found and have no outcome yet. */
  waiting: number;
  /** The number of links beyond the maximum per resource. */
  droppedLinks: number;
  /** The number of resources that were too long for all of their links to be read. */
  cutResources: number;
}

interface CaptureOptions extends Omit<CaptureSettings, "folder" | "warcPrefix" | "serial" | "turns"> {
  limits: CaptureLimits;
  folder: CaptureFolder;
  /** The maximum number of threads of this process. */
  threads: number;
  /** Whether URLs that failed in an earlier run of this capture are requested again. */
  retryFailed: boolean;
  signal: AbortSignal;
  onProgress(counts: CaptureCounts, url: string): void;
  /** Called for each seed that could not be captured. */
  onSeedFailure(url: string, reason: string): void;
}

/** The number of hosts that are requested in parallel, each for one URL. */
const maxHosts = 64;

/**
 * Captures the sites of the seeds into WARC files. Each URL is requested once, and each host gets one request
 * at a time. This thread decides which URLs are requested and writes the lists of the capture; all threads
 * may send requests.
 */
export class SiteCapture {
  readonly counts: CaptureCounts = {
    fetched: 0,
    failed: 0,
    failedSeeds: 0,
    duplicates: 0,
    bytes: 0,
    waiting: 0,
    droppedLinks: 0,
    cutResources: 0,
  };
  private readonly options: CaptureOptions;
  private readonly frontier = new Frontier();
  /** The last entries of URLs that failed, so that a URL that is requested again is counted once. */
  private readonly failures = new Map<string, JournalEntry>();
  /** The number of URLs whose requests were stopped with the capture. */
  private stoppedUrls = 0;
  private readonly busyHosts = new Set<string>();
  private readonly failed = new AbortController();
  private readonly ended = Promise.withResolvers<void>();

  constructor(options: CaptureOptions) {
    this.options = options;
    this.restore();
  }

  /**
   * Captures the sites. @returns whether nothing is left to capture; false if a limit was reached or the
   * capture was stopped
   */
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
    return this.left === 0;
  }

  private get left(): number {
    return this.frontier.size + this.stoppedUrls;
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
        // The name has milliseconds, unlike that of Heritrix, because captures of the same second may be
        // packed together.
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
            this.stoppedUrls += 1;
            this.counts.waiting = this.left;
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

  /** Restores the URLs that earlier runs of this capture found and requested. */
  private restore(): void {
    const { folder, plan, retryFailed, onSeedFailure } = this.options;
    for (const entry of folder.earlier()) this.count(entry);
    for (const { url, isInterim } of folder.earlier())
      if (!isInterim && !(retryFailed && this.failures.has(url))) this.frontier.exclude(url);
    this.want(plan.seeds.map((url) => ({ url, hops: "" })));
    for (const { found } of folder.earlier()) this.want(found);
    this.counts.waiting = this.left;
    if (retryFailed) return;
    for (const { url, seedFailure } of this.failures.values())
      if (seedFailure !== undefined) onSeedFailure(url, seedFailure);
  }

  /** Adds URLs. The first URL of each origin is preceded by its robots.txt. @returns the new URLs */
  private want(wanted: readonly WantedUrl[]): WantedUrl[] {
    return withRobots(wanted).filter((each) => this.frontier.add(each));
  }

  /** Requests one URL of each host with waiting URLs, while there are fewer requests than the maximum. */
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

  /** Adds exchanges, whose records are already written, to the lists, and adds the URLs that they link to. */
  private commit(exchanges: readonly CommittedExchange[]): void {
    const { folder, onProgress, onSeedFailure } = this.options;
    folder.commit(
      exchanges.map(({ entry, ...rest }) => ({
        ...rest,
        entry: { ...entry, found: this.want(entry.found) },
      })),
    );
    for (const { entry } of exchanges) {
      this.count(entry);
      if (entry.isInterim) continue;
      this.busyHosts.delete(hostKeyOf(entry.url));
      this.counts.waiting = this.left;
      if (entry.seedFailure !== undefined) onSeedFailure(entry.url, entry.seedFailure);
      onProgress(this.counts, entry.url);
    }
  }

  private count(entry: JournalEntry): void {
    const { counts, failures } = this;
    const { url, bytes, isInterim, isDuplicate, unread } = entry;
    counts.bytes += bytes;
    if (isDuplicate) counts.duplicates += 1;
    counts.droppedLinks += unread?.dropped ?? 0;
    if (unread?.isCut) counts.cutResources += 1;
    if (isInterim) return;
    const before = failures.get(url);
    if (before !== undefined) this.countUrl(before, -1);
    failures.delete(url);
    if (entry.isFailed || entry.seedFailure !== undefined) failures.set(url, entry);
    this.countUrl(entry, 1);
  }

  /** Counts a URL for the limits, except robots.txt. @param by 1, or -1 to undo the count */
  private countUrl({ url, isFailed, seedFailure }: JournalEntry, by: 1 | -1): void {
    if (isRobots(url)) return;
    this.counts.fetched += by;
    if (isFailed) this.counts.failed += by;
    if (seedFailure !== undefined) this.counts.failedSeeds += by;
  }
}

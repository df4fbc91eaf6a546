import type { LinkResult } from "../../../../shared/links/check/check-links.ts";
import {
  type AddressPolicy,
  allowingHostsOf,
  defaultAddressPolicy,
} from "../../../../shared/web/address/admit-url.ts";
import { adviseOnPrivate } from "../../../private-host.ts";
import { distinctOrigins } from "./link-origins.ts";
import type { LinkReport } from "./link-report.ts";
import type { LinkRequests, LinkRequestsOptions } from "./link-requests.ts";
import type { LinkInputs } from "./read-inputs.ts";
import { checkLinksOnThreads } from "./threads/link-threads.ts";
import { threadsFor } from "./threads/thread-count.ts";
import type { WaitingThreads } from "./threads/waiting-threads.ts";

export interface LinkRunOptions extends Omit<LinkRequestsOptions, "addresses" | "report" | "onAnswer"> {
  /** The number of threads that send requests; 0 chooses it automatically. */
  threads: number;
  waitingThreads: WaitingThreads;
  /** The maximum duration of the run; 0 means no limit. */
  maxTimeMs: number;
  allowPrivate: boolean;
}

/** One run of the command: first the crawl of sites, if any, then the check of all other links. */
export class LinkRun {
  private readonly options: LinkRunOptions;
  private readonly report: LinkReport;
  private readonly addresses: AddressPolicy;
  /** Aborted when the user stops the run, or when the maximum time is over. */
  private readonly signal: AbortSignal;
  private readonly reported = new Set<string>();
  private requests: LinkRequests | undefined;

  constructor(options: LinkRunOptions, report: LinkReport) {
    const { inputs, maxTimeMs, signal } = options;
    this.options = options;
    this.report = report;
    this.addresses = options.allowPrivate ? addressPolicyFor(inputs) : defaultAddressPolicy;
    this.signal = maxTimeMs === 0 ? signal : AbortSignal.any([signal, AbortSignal.timeout(maxTimeMs)]);
  }

  /** Runs until all links are reported, or the user stops the run. */
  async finish(): Promise<void> {
    const { inputs, signal } = this.options;
    try {
      const isCrawl = inputs.starts.length + inputs.sitemaps.length > 0;
      await this.check(isCrawl ? await this.crawl() : [...inputs.links.urls()]);
    } finally {
      await this.requests?.close();
    }
    if (this.signal.aborted && !signal.aborted) this.reportUnchecked();
  }

  /** Crawls the sites and reports their links. @returns the links to other sites */
  private async crawl(): Promise<string[]> {
    const requests = await this.ownRequests();
    const { results, others } = await requests.crawl();
    this.report.expect(this.options.inputs.links.size);
    for (const result of results) this.add(result);
    return others;
  }

  private async check(urls: readonly string[]): Promise<void> {
    if (this.signal.aborted) return;
    const threads = this.threadsFor(urls);
    if (threads > 1) return this.checkOnThreads(urls, threads);
    const requests = await this.ownRequests();
    await requests.check(urls);
  }

  /**
   * Creates this thread's own requests. Their code is loaded only if needed, because loading takes as long as
   * in a worker thread.
   */
  private async ownRequests(): Promise<LinkRequests> {
    const { LinkRequests } = await import("./link-requests.ts");
    this.requests ??= new LinkRequests({
      ...this.options,
      addresses: this.addresses,
      signal: this.signal,
      report: (result) => this.add(result),
      onAnswer: (answers) => this.report.showCrawl(answers, this.options.inputs.links.size),
    });
    return this.requests;
  }

  /**
   * Returns the number of threads for these links. With a cache or a fragment check, it is one, because their
   * state is shared by all links.
   */
  private threadsFor(urls: readonly string[]): number {
    const { cache, concurrency, delayMs, fragments, threads } = this.options;
    if (cache !== undefined || fragments) return 1;
    return threadsFor(urls, { threads, concurrency, delayMs });
  }

  private checkOnThreads(urls: readonly string[], threads: number): Promise<void> {
    const { concurrency, delayMs, headers, insecureHosts, retries, rule, timeoutMs, userAgent } =
      this.options;
    return checkLinksOnThreads({
      ...{ concurrency, delayMs, headers, insecureHosts, retries, threads, timeoutMs, userAgent, urls },
      addresses: this.addresses,
      rule: rule.rule,
      waitingThreads: this.options.waitingThreads,
      signal: this.signal,
      report: (result) => this.add(result),
    });
  }

  private add(result: LinkResult): void {
    if (this.options.maxTimeMs > 0) this.reported.add(result.url);
    const reason = this.options.allowPrivate ? result.reason : adviseOnPrivate(result.reason);
    this.report.add({ ...result, reason, places: this.options.inputs.links.placesOf(result.url) });
  }

  private reportUnchecked(): void {
    const reason = `not checked (max-time): the run ended after ${this.options.maxTimeMs / 1000} s`;
    for (const url of this.options.inputs.links.urls()) {
      if (this.reported.has(url)) continue;
      const unchecked = {
        verdict: "inconclusive",
        finding: "inconclusive",
        notCounted: "our-limit",
      } as const;
      this.add({ url, ...unchecked, reason, hops: [], elapsedMs: 0 });
    }
  }
}

/** Permits private hosts that the arguments and files name. Redirects to other private hosts are refused. */
function addressPolicyFor({ links, starts, sitemaps }: LinkInputs): AddressPolicy {
  const named = [...distinctOrigins(links.urls()), ...starts, ...sitemaps];
  return allowingHostsOf(named.map((link) => URL.parse(link)).filter((url) => url !== null));
}

import { availableParallelism } from "node:os";
import { systemClock } from "../../../shared/core/clock.ts";
import { checkLinks, type LinkResult } from "../../../shared/links/check/check-links.ts";
import { type CompiledRule, ruleOf } from "../../../shared/links/rule/rule.ts";
import {
  type AddressPolicy,
  allowingHostsOf,
  defaultAddressPolicy,
} from "../../../shared/web/address/admit-url.ts";
import type { HttpClient } from "../../../shared/web/exchange/http-client.ts";
import type { ProxyFor } from "../../../shared/web/exchange/proxy-environment.ts";
import type { GatePolicy } from "../../../shared/web/gate/gate-policy.ts";
import { InProcessGate } from "../../harvest/in-process-gate.ts";
import { JudgeWorkers } from "../../links/judge-workers.ts";
import { adviseOnPrivate } from "../../private-host.ts";
import { FragmentCheck } from "./fragment-check.ts";
import type { LinkCache } from "./link-cache.ts";
import { createLinkClient, type LinkClientSettings, linkPolicy } from "./link-client.ts";
import { distinctOrigins } from "./link-origins.ts";
import type { LinkReport } from "./link-report.ts";
import type { LinkInputs } from "./read-inputs.ts";
import { SiteCrawl } from "./site-crawl.ts";
import { checkLinksOnThreads } from "./threads/link-threads.ts";
import { threadsFor } from "./threads/thread-count.ts";

export interface LinkRunOptions extends Omit<LinkClientSettings, "addresses"> {
  inputs: LinkInputs;
  rule: CompiledRule;
  isWanted(url: string): boolean;
  depth: number;
  fragments: boolean;
  concurrency: number;
  /** That request hosts; 0: as many as pay. */
  threads: number;
  /** 0: no limit. */
  maxTimeMs: number;
  allowPrivate: boolean;
  userAgent: string;
  proxyFor: ProxyFor | undefined;
  cache: LinkCache | undefined;
  signal: AbortSignal;
}

/** One run of the command: first the crawl of sites, if any, then all other links. */
export class LinkRun {
  private readonly options: LinkRunOptions;
  private readonly report: LinkReport;
  private readonly addresses: AddressPolicy;
  private readonly policy: GatePolicy;
  private readonly client: HttpClient;
  private readonly judges: JudgeWorkers;
  private readonly fragments: FragmentCheck | undefined;
  /** Aborted by the user, or when the time is up. */
  private readonly signal: AbortSignal;
  private readonly reported = new Set<string>();

  constructor(options: LinkRunOptions, report: LinkReport) {
    const { inputs, maxTimeMs, signal } = options;
    this.options = options;
    this.report = report;
    this.addresses = options.allowPrivate ? addressPolicyFor(inputs) : defaultAddressPolicy;
    this.policy = linkPolicy(options);
    this.judges = new JudgeWorkers(options.rule, availableParallelism());
    this.signal = maxTimeMs === 0 ? signal : AbortSignal.any([signal, AbortSignal.timeout(maxTimeMs)]);
    this.fragments = options.fragments ? new FragmentCheck(inputs.links.urls()) : undefined;
    const { addresses } = this;
    this.client = createLinkClient({ ...options, addresses }, { proxyFor: options.proxyFor });
  }

  /** Resolves when all links are reported, or the user has stopped the run. */
  async finish(): Promise<void> {
    const { inputs, signal } = this.options;
    try {
      const remaining =
        inputs.starts.length + inputs.sitemaps.length > 0 ? await this.crawl() : inputs.links.urls();
      await this.check(remaining);
    } finally {
      await Promise.all([this.client.close(), this.judges.close()]);
    }
    if (this.signal.aborted && !signal.aborted) this.reportUnchecked();
  }

  /** Crawls the sites and reports their links. @returns the links to other sites */
  private async crawl(): Promise<string[]> {
    const { inputs, rule, isWanted, depth, delayMs, userAgent } = this.options;
    const { links } = inputs;
    const gate = new InProcessGate({
      addresses: this.addresses,
      userAgent,
      delays: { defaultDelayMs: delayMs, maxDelayMs: Math.max(delayMs, 30_000), hostDelays: {} },
      signal: this.signal,
      client: this.client,
      policy: this.policy,
    });
    const onAnswer = (answers: number) => this.report.showCrawl(answers, links.size);
    const { fragments } = this;
    const crawl = new SiteCrawl({ gate, rule, links, isWanted, depth, delayMs, fragments, onAnswer });
    try {
      await crawl.run(inputs.starts, inputs.sitemaps);
    } catch (error) {
      if (!this.signal.aborted) throw error;
    }
    this.report.expect(links.size);
    const others: string[] = [];
    for (const link of links.urls()) {
      const result = crawl.resultOf(link);
      if (result === undefined) others.push(link);
      else this.add(fragments?.judge(result) ?? result);
    }
    for (const link of others) fragments?.expect(link);
    // A redirect may lead back to the site: its host keeps its delay.
    if (others.length > 0 && !this.signal.aborted) await systemClock.sleep(delayMs);
    return others;
  }

  private async check(links: Iterable<string>): Promise<void> {
    const { rule, userAgent, concurrency, cache } = this.options;
    if (this.signal.aborted) return;
    const urls = cache === undefined ? [...links] : this.withoutFresh(links, cache);
    const threads = this.threadsFor(urls);
    if (threads > 1) return this.checkOnThreads(urls, threads);
    await checkLinks(
      urls,
      {
        exchange: this.layeredExchange(),
        report: (result) => this.settle(result),
        judge: (chain) => this.judges.judge(chain),
        clock: systemClock,
        random: Math.random,
      },
      { rule, policy: this.policy, addresses: this.addresses, userAgent, concurrency, signal: this.signal },
    );
  }

  /** Cache and fragments know what all links have in common, and are on this thread. */
  private threadsFor(urls: readonly string[]): number {
    const { cache, concurrency, delayMs, threads } = this.options;
    if (cache !== undefined || this.fragments !== undefined) return 1;
    return threadsFor(urls, { threads, concurrency, delayMs });
  }

  private checkOnThreads(urls: readonly string[], threads: number): Promise<void> {
    const { concurrency, delayMs, headers, insecureHosts, retries, rule, timeoutMs, userAgent } =
      this.options;
    return checkLinksOnThreads({
      ...{ concurrency, delayMs, headers, insecureHosts, retries, threads, timeoutMs, userAgent, urls },
      addresses: this.addresses,
      rule: ruleOf(rule),
      signal: this.signal,
      report: (result) => this.add(result),
    });
  }

  /** The client between cache and fragments: what the cache confirms has no page for them. */
  private layeredExchange(): HttpClient["exchange"] {
    const { fragments } = this;
    const { cache } = this.options;
    const needsPage = (url: string) => fragments?.wants(url) ?? false;
    const cached = cache?.around(this.client.exchange, needsPage) ?? this.client.exchange;
    return fragments?.around(cached) ?? cached;
  }

  /** Reports the links whose earlier results still count. @returns the others */
  private withoutFresh(links: Iterable<string>, cache: LinkCache): string[] {
    return [...links].filter((link) => {
      const known = cache.fresh(link);
      if (known !== undefined) this.add(known);
      return known === undefined;
    });
  }

  private settle(result: LinkResult): void {
    const judged = this.fragments?.judge(result) ?? result;
    this.add(this.options.cache?.settle(judged) ?? judged);
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
      this.add({ url, verdict: "inconclusive", reason, notCounted: "our-limit", hops: [], elapsedMs: 0 });
    }
  }
}

/** Allows the private hosts of the arguments and files. Redirects to other private hosts are refused. */
function addressPolicyFor({ links, starts, sitemaps }: LinkInputs): AddressPolicy {
  const named = [...distinctOrigins(links.urls()), ...starts, ...sitemaps];
  return allowingHostsOf(named.map((link) => URL.parse(link)).filter((url) => url !== null));
}

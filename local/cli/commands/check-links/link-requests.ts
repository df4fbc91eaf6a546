import { availableParallelism } from "node:os";
import { systemClock } from "../../../../shared/core/clock.ts";
import { checkLinks, type LinkResult } from "../../../../shared/links/check/check-links.ts";
import type { CompiledRule } from "../../../../shared/links/rule/rule.ts";
import type { HttpClient } from "../../../../shared/web/exchange/http-client.ts";
import type { ProxyFor } from "../../../../shared/web/exchange/proxy-environment.ts";
import type { GatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import { InProcessGate } from "../../harvest/in-process-gate.ts";
import { JudgeWorkers } from "../../links/judge-workers.ts";
import { FragmentCheck } from "./fragment-check.ts";
import type { LinkCache } from "./link-cache.ts";
import { createLinkClient, type LinkClientSettings, linkPolicy } from "./link-client.ts";
import type { LinkInputs } from "./read-inputs.ts";
import { SiteCrawl } from "./site-crawl.ts";

export interface LinkRequestsOptions extends LinkClientSettings {
  inputs: LinkInputs;
  rule: CompiledRule;
  isWanted(url: string): boolean;
  depth: number;
  fragments: boolean;
  concurrency: number;
  userAgent: string;
  proxyFor: ProxyFor | undefined;
  cache: LinkCache | undefined;
  signal: AbortSignal;
  report(result: LinkResult): void;
  /** Called with the number of responses that the crawled sites have sent so far. */
  onAnswer(answers: number): void;
}

/**
 * The requests of this thread: it crawls sites, and checks links, including their fragments and the cache.
 */
export class LinkRequests {
  private readonly options: LinkRequestsOptions;
  private readonly policy: GatePolicy;
  private readonly client: HttpClient;
  private readonly judges: JudgeWorkers;
  private readonly fragments: FragmentCheck | undefined;

  constructor(options: LinkRequestsOptions) {
    this.options = options;
    this.policy = linkPolicy(options);
    this.judges = new JudgeWorkers(options.rule, availableParallelism());
    this.fragments = options.fragments ? new FragmentCheck(options.inputs.links.urls()) : undefined;
    this.client = createLinkClient(options, { proxyFor: options.proxyFor });
  }

  async close(): Promise<void> {
    await Promise.all([this.client.close(), this.judges.close()]);
  }

  /** Crawls the sites. @returns the results of links within the sites, and the links to other sites */
  async crawl(): Promise<{ results: LinkResult[]; others: string[] }> {
    const { addresses, inputs, rule, isWanted, depth, delayMs, userAgent, signal, onAnswer } = this.options;
    const { links } = inputs;
    const gate = new InProcessGate({
      addresses,
      userAgent,
      delays: { defaultDelayMs: delayMs, maxDelayMs: Math.max(delayMs, 30_000), hostDelays: {} },
      signal,
      client: this.client,
      policy: this.policy,
    });
    const { fragments } = this;
    const crawl = new SiteCrawl({ gate, rule, links, isWanted, depth, delayMs, fragments, onAnswer });
    try {
      await crawl.run(inputs.starts, inputs.sitemaps);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const results: LinkResult[] = [];
    const others: string[] = [];
    for (const link of links.urls()) {
      const result = crawl.resultOf(link);
      if (result === undefined) others.push(link);
      else results.push(fragments?.judge(result) ?? result);
    }
    for (const link of others) fragments?.expect(link);
    // Waits, because a redirect of another link may lead back to a crawled host, whose delay must be kept.
    if (others.length > 0 && !signal.aborted) await systemClock.sleep(delayMs);
    return { results, others };
  }

  async check(links: readonly string[]): Promise<void> {
    const { addresses, cache, concurrency, rule, signal, userAgent } = this.options;
    const urls = cache === undefined ? links : this.withoutFresh(links, cache);
    await checkLinks(
      urls,
      {
        exchange: this.layeredExchange(),
        report: (result) => this.settle(result),
        judge: (chain) => this.judges.judge(chain),
        clock: systemClock,
        random: Math.random,
      },
      { rule, policy: this.policy, addresses, userAgent, concurrency, signal },
    );
  }

  /**
   * Wraps the fragment check around the cache, and tells the cache which pages the check needs, because a
   * page that the cache confirms has no body.
   */
  private layeredExchange(): HttpClient["exchange"] {
    const { fragments } = this;
    const { cache } = this.options;
    const needsPage = (url: string) => fragments?.wants(url) ?? false;
    const cached = cache?.around(this.client.exchange, needsPage) ?? this.client.exchange;
    return fragments?.around(cached) ?? cached;
  }

  /** Reports links whose earlier results are recent enough. @returns the other links */
  private withoutFresh(links: readonly string[], cache: LinkCache): string[] {
    return links.filter((link) => {
      const known = cache.fresh(link);
      if (known !== undefined) this.options.report(known);
      return known === undefined;
    });
  }

  private settle(result: LinkResult): void {
    const judged = this.fragments?.judge(result) ?? result;
    this.options.report(this.options.cache?.settle(judged) ?? judged);
  }
}

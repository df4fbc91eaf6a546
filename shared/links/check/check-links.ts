import type { Clock } from "../../core/clock.ts";
import type { AddressPolicy } from "../../web/address/admit-url.ts";
import { hostKey } from "../../web/address/host-key.ts";
import { followRedirect } from "../../web/chain/redirects.ts";
import { requestHeaders } from "../../web/chain/request-headers.ts";
import { type Answer, type AnswerHead, type ExchangeOutcome, hopOf } from "../../web/exchange/exchange.ts";
import type { HttpClient } from "../../web/exchange/http-client.ts";
import type { GatePolicy } from "../../web/gate/gate-policy.ts";
import { unavailable } from "../../web/gate/retry-policy.ts";
import { type Arrivals, runByHost, type Served } from "../../web/scheduler/host-scheduler.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { ChainOutcome } from "../verdict/chain-outcome.ts";
import { type Judgement, pageBodyPolicy } from "../verdict/verdict.ts";
import { HostHealth } from "./host-health.ts";
import { JudgingLinks } from "./judging-links.ts";
import { admitLinks, type LinkTask } from "./link-task.ts";

export interface LinkResult extends Judgement {
  /** The URL as spelled in the input. */
  url: string;
  /** Total response time over all hops and attempts, without the waits between them. */
  elapsedMs: number;
}

interface CheckLinksPorts {
  exchange: HttpClient["exchange"];
  /** Called with each result as soon as it is known. */
  report(result: LinkResult): void;
  /** Judges a link by the rule. A returned promise is awaited before many more pages are requested. */
  judge(chain: ChainOutcome): Judgement | Promise<Judgement>;
  /** Set when other threads serve some of the hosts. */
  others?: OtherHosts | undefined;
  clock: Clock;
  /** In [0, 1). */
  random(): number;
}

/**
 * The hosts that others serve at the same time. Each host has a single queue, wherever redirects to the host come from.
 */
export interface OtherHosts {
  /**
   * Takes over a link whose redirect leads to one of these hosts.
   * @returns false when the host is served here
   */
  takeOver(link: LinkTask): boolean;
  /** Links of others whose redirects lead to a host that is served here. */
  arrivals: Arrivals<LinkTask>;
}

interface CheckLinksSettings {
  rule: CompiledRule;
  /** `defaultDelayMs` is the shortest wait between the end of a request to a host and the start of the next request. */
  policy: GatePolicy;
  addresses: AddressPolicy;
  userAgent: string;
  /** The number of hosts that are requested at the same time. */
  concurrency: number;
  signal?: AbortSignal | undefined;
}

type Ending = { type: "answered"; answer: Answer } | Exclude<ExchangeOutcome, Answer> | Unavailable;
type Unavailable = { type: "failed"; reason: typeof unavailable; detail: string };

/**
 * Checks links. Each URL is checked once, and each hop waits in the queue of its own host. The gate's rules for delays,
 * retries and redirects apply. robots.txt does not apply, because a page that a record points to is visited, not
 * crawled.
 */
export function checkLinks(
  urls: Iterable<string>,
  ports: CheckLinksPorts,
  settings: CheckLinksSettings,
): Promise<void> {
  return new CheckLinksRun(ports, settings).run(urls);
}

class CheckLinksRun {
  private readonly ports: CheckLinksPorts;
  private readonly settings: CheckLinksSettings;
  private readonly hosts: HostHealth;
  private readonly judging = new JudgingLinks();

  constructor(ports: CheckLinksPorts, settings: CheckLinksSettings) {
    this.ports = ports;
    this.settings = settings;
    this.hosts = new HostHealth(settings.policy);
  }

  async run(urls: Iterable<string>): Promise<void> {
    const { addresses, concurrency, signal } = this.settings;
    const { admitted, refused } = admitLinks(urls, addresses);
    for (const { given, refusal } of refused) this.report([given], 0, { ...refusal, hops: [] });
    await runByHost<LinkTask>({
      items: admitted,
      arrivals: this.ports.others?.arrivals,
      hostOf: (link) => link.hostKey,
      concurrency,
      serve: (link) => this.serve(link),
      clock: this.ports.clock,
      signal,
    });
    await this.judging.end();
  }

  private async serve(link: LinkTask): Promise<Served<LinkTask>> {
    const detail = this.hosts.unavailableReason(link, this.ports.clock.now().getTime());
    if (detail !== undefined) {
      if (link.last !== undefined) this.end(link, link.last);
      else this.finish(link, { type: "failed", reason: unavailable, detail });
      return { delayMs: 0 };
    }
    if (this.judging.isFull) await this.judging.next();
    const outcome = await this.ports.exchange({
      url: link.url,
      headers: this.headersFor(link),
      bodyMode: (head) => this.bodyMode(head),
      ...(this.settings.signal !== undefined && { signal: this.settings.signal }),
    });
    return this.conclude(link, outcome);
  }

  private conclude(task: LinkTask, outcome: ExchangeOutcome): Served<LinkTask> {
    const { policy, addresses } = this.settings;
    const now = this.ports.clock.now();
    const link = {
      ...task,
      attempts: task.attempts + 1,
      elapsedMs: task.elapsedMs + (outcome.type === "refused" ? 0 : outcome.elapsedMs),
    };
    const after = this.hosts.next(link, outcome, { now, random: this.ports.random() });
    // The clock truncates to whole milliseconds, so a measured wait may be up to 1 ms too short.
    const ownDelayMs = policy.defaultDelayMs === 0 ? 0 : policy.defaultDelayMs + 1;
    const delayMs = Math.max(ownDelayMs, after.backoffMs);
    if (after.type === "retry") return { delayMs, next: { ...link, last: outcome } };
    if (after.type === "later") {
      return { delayMs, last: { item: { ...link, last: outcome }, afterMs: after.afterMs } };
    }
    if (outcome.type !== "answered") {
      this.finish(link, outcome);
      return { delayMs };
    }
    const next = followRedirect(link, outcome, { addresses, now });
    const hops = [...link.hops, hopOf(link.url, outcome)];
    if (next.type === "follow") {
      const { url, cookies } = next;
      const target = { url, hostKey: hostKey(new URL(url)), hops, cookies };
      const following = { ...link, ...target, attempts: 0, last: undefined };
      if (this.ports.others?.takeOver(following)) return { delayMs };
      return { delayMs, next: following };
    }
    this.finish({ ...link, hops }, next.type === "final" ? { type: "answered", answer: outcome } : next);
    return { delayMs };
  }

  /** Ends a link with the outcome of its last request, because its host became unavailable before the next attempt. */
  private end(link: LinkTask, last: ExchangeOutcome): void {
    const hops = last.type === "answered" ? [...link.hops, hopOf(link.url, last)] : link.hops;
    this.finish({ ...link, hops }, last.type === "answered" ? { type: "answered", answer: last } : last);
  }

  /** Without a delay, hosts are the user's own, which have no walls, and looking for signs would take half of the time. */
  private bodyMode(head: AnswerHead): ReturnType<typeof pageBodyPolicy> {
    const { rule, policy } = this.settings;
    return pageBodyPolicy(head, rule, { readsSigns: policy.defaultDelayMs > 0 });
  }

  private finish({ inputUrls, hops, elapsedMs }: LinkTask, ending: Ending): void {
    if (ending.type === "answered") {
      const { headers, body, bodyProblem } = ending.answer;
      const page = bodyProblem !== undefined ? { bodyProblem } : { body };
      const isRead = this.bodyMode(ending.answer) !== "discard";
      this.report(inputUrls, elapsedMs, { type: "answered", hops, headers, ...(isRead && page) });
    } else {
      this.report(inputUrls, elapsedMs, { ...ending, hops });
    }
  }

  private report(urls: string[], elapsedMs: number, chain: ChainOutcome): void {
    const deliver = (judgement: Judgement) => {
      for (const url of urls) this.ports.report({ url, ...judgement, elapsedMs });
    };
    const judged = this.ports.judge(chain);
    if (judged instanceof Promise) this.judging.add(judged.then(deliver));
    else deliver(judged);
  }

  private headersFor({ cookies, url }: LinkTask): Record<string, string> {
    const { userAgent } = this.settings;
    const request = { kind: "link" as const, cookies };
    return requestHeaders(request, new URL(url), {
      userAgent,
      earlier: undefined,
      now: this.ports.clock.now(),
    });
  }
}

import type { Clock } from "../../core/clock.ts";
import type { AddressPolicy } from "../../web/address/admit-url.ts";
import { hostKey } from "../../web/address/host-key.ts";
import { followRedirect } from "../../web/chain/redirects.ts";
import { requestHeaders } from "../../web/chain/request-headers.ts";
import type { Answer, ExchangeOutcome } from "../../web/exchange/exchange.ts";
import type { HttpClient } from "../../web/exchange/http-client.ts";
import type { GatePolicy } from "../../web/gate/gate-policy.ts";
import {
  decideRetry,
  type FailureStreak,
  failureStreakAfter,
  type RetryDecision,
  unavailabilityAfter,
  unavailable,
} from "../../web/gate/retry-policy.ts";
import { runByHost, type Served } from "../../web/scheduler/host-scheduler.ts";
import type { CompiledRule } from "../rule/rule.ts";
import type { ChainOutcome } from "./chain-outcome.ts";
import { admitLinks, type LinkTask } from "./link-task.ts";
import { type Judgement, judgeLink, pageBodyPolicy } from "./verdict.ts";

export interface LinkResult extends Judgement {
  /** As it was given. */
  url: string;
  /** The time that hosts took to answer, over all hops and tries; waits between them are not counted. */
  elapsedMs: number;
}

export interface CheckLinksPorts {
  exchange: HttpClient["exchange"];
  /** Gets each result as soon as it is known. */
  report(result: LinkResult): void;
  clock: Clock;
  /** In [0, 1). */
  random(): number;
}

export interface CheckLinksSettings {
  rule: CompiledRule;
  /** From the end of one request to a host to the start of the next, at least: `policy.defaultDelayMs`. */
  policy: GatePolicy;
  addresses: AddressPolicy;
  userAgent: string;
  /** Hosts asked at once. */
  concurrency: number;
  signal?: AbortSignal | undefined;
}

type Ending = { type: "answered"; answer: Answer } | Exclude<ExchangeOutcome, Answer> | Unavailable;
type Unavailable = { type: "failed"; reason: typeof unavailable; detail: string };

/**
 * Checks links: each URL once, each hop in the line of its own host, by the same rules of politeness, retry and
 * redirection as the gate. robots.txt is not asked: a single page that a record points to is not crawled.
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
  /** Hosts and origins that are left alone because they are of no use. */
  private readonly unavailable = new Map<string, { untilMs: number; detail: string }>();
  /** Of the hosts that are not well. */
  private readonly troubles = new Map<string, FailureStreak>();

  constructor(ports: CheckLinksPorts, settings: CheckLinksSettings) {
    this.ports = ports;
    this.settings = settings;
  }

  run(urls: Iterable<string>): Promise<void> {
    const { addresses, concurrency, signal } = this.settings;
    const { admitted, refused } = admitLinks(urls, addresses);
    for (const { given, refusal } of refused) this.report([given], 0, { ...refusal, hops: [] });
    return runByHost<LinkTask>({
      items: admitted,
      hostOf: (link) => link.hostKey,
      concurrency,
      serve: (link) => this.serve(link),
      clock: this.ports.clock,
      signal,
    });
  }

  private async serve(link: LinkTask): Promise<Served<LinkTask>> {
    const away = this.unavailableReason(link);
    if (away !== undefined) {
      this.finish(link, { type: "failed", reason: unavailable, detail: away });
      return { delayMs: 0 };
    }
    const outcome = await this.ports.exchange({
      url: link.url,
      headers: this.headersFor(link),
      bodyMode: (head) => pageBodyPolicy(head, this.settings.rule),
      ...(this.settings.signal !== undefined && { signal: this.settings.signal }),
    });
    return this.conclude(link, outcome);
  }

  private conclude(asked: LinkTask, outcome: ExchangeOutcome): Served<LinkTask> {
    const { policy, addresses } = this.settings;
    const now = this.ports.clock.now();
    const link = {
      ...asked,
      attempts: asked.attempts + 1,
      elapsedMs: asked.elapsedMs + (outcome.type === "refused" ? 0 : outcome.elapsedMs),
    };
    const { attempts } = link;
    const trouble = this.troubles.get(link.hostKey) ?? { failures: 0, givenUp: 0 };
    const random = this.ports.random();
    const retry = decideRetry(outcome, { attempts, ...trouble }, { policy, now, random });
    this.updateTrouble(link.hostKey, trouble, retry);
    // The clock has whole milliseconds: a fraction may be lost at either end.
    const ownDelayMs = policy.defaultDelayMs === 0 ? 0 : policy.defaultDelayMs + 1;
    const delayMs = Math.max(ownDelayMs, retry.backoffMs);
    if (retry.type === "retry") return { delayMs, next: link };
    this.markUnavailable(link, outcome, now);
    if (outcome.type !== "answered") {
      this.finish(link, outcome);
      return { delayMs };
    }
    const next = followRedirect(link, outcome, { addresses, now });
    const hops = [...link.hops, { url: link.url, status: outcome.status }];
    if (next.type === "follow") {
      const { url, cookies } = next;
      return { delayMs, next: { ...link, url, hostKey: hostKey(new URL(url)), hops, cookies, attempts: 0 } };
    }
    this.finish({ ...link, hops }, next.type === "final" ? { type: "answered", answer: outcome } : next);
    return { delayMs };
  }

  private updateTrouble(host: string, before: FailureStreak, retry: RetryDecision): void {
    if (retry.health === "healthy") this.troubles.delete(host);
    else this.troubles.set(host, failureStreakAfter(before, retry));
  }

  /** Why a link need not be asked now. */
  private unavailableReason({ url, hostKey }: LinkTask): string | undefined {
    if (this.unavailable.size === 0) return undefined;
    const nowMs = this.ports.clock.now().getTime();
    const away = [this.unavailable.get(hostKey), this.unavailable.get(new URL(url).origin)];
    return away.find((each) => each !== undefined && each.untilMs > nowMs)?.detail;
  }

  private markUnavailable({ url, hostKey }: LinkTask, outcome: ExchangeOutcome, now: Date): void {
    const trouble = this.troubles.get(hostKey);
    if (trouble === undefined) return;
    const { policy } = this.settings;
    const away = unavailabilityAfter(outcome, new URL(url), { ...trouble, policy });
    if (away === undefined) return;
    const untilMs = now.getTime() + policy.unavailableMs;
    this.unavailable.set(away.what, { untilMs, detail: `${away.what} is unavailable: ${away.detail}` });
  }

  private get readsPages(): boolean {
    return this.settings.rule.xpath !== undefined;
  }

  private finish({ inputUrls, hops, elapsedMs }: LinkTask, ending: Ending): void {
    if (ending.type === "answered") {
      const { headers, body, bodyProblem } = ending.answer;
      const page = bodyProblem !== undefined ? { bodyProblem } : { body };
      this.report(inputUrls, elapsedMs, { type: "answered", hops, headers, ...(this.readsPages && page) });
    } else {
      this.report(inputUrls, elapsedMs, { ...ending, hops });
    }
  }

  private report(given: string[], elapsedMs: number, chain: ChainOutcome): void {
    const judgement = judgeLink(chain, this.settings.rule);
    for (const url of given) this.ports.report({ url, ...judgement, elapsedMs });
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

import { checkLinks, type LinkResult } from "../../../../shared/links/check/check-links.ts";
import { compileRule, type LinkRule } from "../../../../shared/links/rule/rule.ts";
import { judgeLink } from "../../../../shared/links/verdict/verdict.ts";
import { defaultAddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import type { ExchangeOutcome, FailureReason } from "../../../../shared/web/exchange/exchange.ts";
import type { ExchangeRequest } from "../../../../shared/web/exchange/http-client.ts";
import { gatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import { VirtualClock } from "../../web/virtual-clock.ts";

export const exchangeMs = 10;

interface SentRequest {
  url: string;
  atMs: number;
  request: ExchangeRequest;
}

type Respond = (request: ExchangeRequest, ask: number) => ExchangeOutcome;

export function answer(
  status: number,
  headers: Record<string, string> = {},
  body = "A page",
): ExchangeOutcome {
  return { type: "answered", status, headers, body: Buffer.from(body), elapsedMs: exchangeMs };
}

export function badBody(
  status: number,
  reason: FailureReason,
  headers: Record<string, string> = {},
): ExchangeOutcome {
  return { ...answer(status, headers), bodyProblem: { reason, detail: "why" } } as ExchangeOutcome;
}

export function failure(reason: FailureReason): ExchangeOutcome {
  return { type: "failed", reason, detail: "why", elapsedMs: exchangeMs };
}

/** Checks links by a clock of its own; what was requested, when, and what became of each. */
export async function check(
  urls: string[],
  respond: Respond,
  options: { rule?: Partial<LinkRule>; delayMs?: number; concurrency?: number; signal?: AbortSignal } = {},
): Promise<{ requested: SentRequest[]; results: Map<string, LinkResult> }> {
  const clock = new VirtualClock();
  const rule = compileRule(options.rule ?? {});
  const requested: SentRequest[] = [];
  const results = new Map<string, LinkResult>();
  const exchange = async (request: ExchangeRequest): Promise<ExchangeOutcome> => {
    requested.push({ url: request.url, atMs: clock.now().getTime(), request });
    const outcome = respond(request, requested.filter(({ url }) => url === request.url).length);
    await clock.sleep(exchangeMs);
    request.signal?.throwIfAborted();
    return outcome;
  };
  await clock.run(
    checkLinks(
      urls,
      {
        exchange,
        report: (result) => results.set(result.url, result),
        judge: (chain) => judgeLink(chain, rule),
        clock,
        random: () => 0.5,
      },
      {
        rule,
        policy: gatePolicy({ defaultDelayMs: options.delayMs ?? 0, maxAttempts: 2, backoffBaseMs: 2000 }),
        addresses: defaultAddressPolicy,
        userAgent: "Ingather/test",
        concurrency: options.concurrency ?? 8,
        signal: options.signal,
      },
    ),
  );
  return { requested, results };
}

export const ok: Respond = () => answer(200);

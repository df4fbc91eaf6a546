import type { ExchangeOutcome } from "../exchange/exchange.ts";
import { maxThrottleMs } from "../request/request.ts";

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Returns the delay with which requests stay within the limit that a host states in `X-Rate-Limit-Limit` (a number of
 * requests) and `X-Rate-Limit-Interval` (such as `1s`), as Crossref does. It is at most an hour.
 * @returns 0 when the host states no limit
 * @see https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/
 */
export function rateLimitDelayMs(outcome: ExchangeOutcome): number {
  if (outcome.type !== "answered" || outcome.transport !== undefined) return 0;
  const limit = Number(/^\s*\d+\s*$/.exec(outcome.headers["x-rate-limit-limit"] ?? "")?.[0] ?? 0);
  const [, count, unit = "s"] =
    /^\s*(\d+)\s*(ms|s|m|h)?\s*$/.exec(outcome.headers["x-rate-limit-interval"] ?? "") ?? [];
  if (limit === 0 || count === undefined) return 0;
  return Math.min(Math.ceil((Number(count) * (unitsMs[unit] ?? 0)) / limit), maxThrottleMs);
}

import { dayMs } from "../../core/day.ts";
import { defaultLimits } from "../exchange/limits.ts";

/** How polite and how patient the gate is. */
export interface GatePolicy {
  /** Delay after a request whose source names none. */
  defaultDelayMs: number;
  /** No request is owed a shorter delay, whatever its source asks for. */
  minDelayMs: number;
  /** What a host's Crawl-delay is taken for, at least and at most. */
  crawlDelayMinMs: number;
  crawlDelayMaxMs: number;
  /** Tries per request, the first included. */
  maxAttempts: number;
  backoffBaseMs: number;
  /** Also the wait after an error on our side. */
  backoffMaxMs: number;
  /** The longest Retry-After that is honoured in full. */
  retryAfterMaxMs: number;
  /**
   * The least wait before the last try of a host that cannot be reached. Longer than from one probe of our own network
   * to the next, it means that a host is given up only when the network was seen to be up in between.
   */
  lastAttemptMinDelayMs: number;
  /** After so many requests in a row that were given up because of their host, the next ones get one try each. */
  singleAttemptAfterGivenUp: number;
  /** After so many the host is left alone. More than a collection has samples: each of them is asked. */
  unavailableAfterGivenUp: number;
  /** How long a host that is of no use, or a robots.txt that could not be had, is left alone. */
  unavailableMs: number;
  /** How long a robots.txt may be used. @see https://www.rfc-editor.org/rfc/rfc9309#section-2.4 */
  robotsMaxAgeMs: number;
  /** How long it may be used after that, while it cannot be had again. */
  robotsStaleMaxMs: number;
  /** How long requests are put back while our own network is down: as long as from one probe to the next. */
  networkWaitMs: number;
  /** How often a request may break on our side before it is put aside. */
  maxCrashes: number;
  /** The longest that one exchange may last. */
  exchangeMaxMs: number;
  /** The same of an exchange whose body goes to a store. */
  streamMaxMs: number;
}

/** What a deployment sets, completed by what it leaves open. */
export function gatePolicy(
  set: Pick<GatePolicy, "defaultDelayMs" | "maxAttempts" | "backoffBaseMs"> & Partial<GatePolicy>,
): GatePolicy {
  return {
    minDelayMs: 0,
    crawlDelayMinMs: 0,
    crawlDelayMaxMs: 30_000,
    backoffMaxMs: 300_000,
    retryAfterMaxMs: 3_600_000,
    lastAttemptMinDelayMs: 0,
    singleAttemptAfterGivenUp: 2,
    unavailableAfterGivenUp: 8,
    unavailableMs: 600_000,
    robotsMaxAgeMs: dayMs,
    robotsStaleMaxMs: 30 * dayMs,
    networkWaitMs: 300_000,
    maxCrashes: 10,
    exchangeMaxMs: defaultLimits.headersMs + defaultLimits.bodyMs,
    streamMaxMs: defaultLimits.headersMs + defaultLimits.streamMs,
    ...set,
  };
}

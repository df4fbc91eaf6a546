import { dayMs } from "../../core/day.ts";
import { defaultLimits } from "../exchange/limits.ts";

/** The gate's delays, retries and time limits. */
export interface GatePolicy {
  /** Delay after a request whose source names none. */
  defaultDelayMs: number;
  /** The shortest delay that a source may set. */
  minDelayMs: number;
  /** The bounds within which a host's Crawl-delay is obeyed. */
  crawlDelayMinMs: number;
  crawlDelayMaxMs: number;
  /** Tries per request, the first included. */
  maxAttempts: number;
  backoffBaseMs: number;
  /** Also the longest wait after an error of Ingather. */
  backoffMaxMs: number;
  /** The longest Retry-After that is honoured in full. */
  retryAfterMaxMs: number;
  /** Whether a host that asks for more is given up for as long as it asks, instead of being asked after that time. */
  givesUpLongerRetryAfter: boolean;
  /**
   * The least wait before the last try of a host that cannot be reached. Longer than from one probe of our own network
   * to the next, it means that a host is given up only when the network was seen to be up in between.
   */
  lastAttemptMinDelayMs: number;
  /** The number of requests given up in a row because of their host, the next ones get one try each. */
  singleAttemptAfterGivenUp: number;
  /**
   * The number after which the host counts as unavailable. It exceeds a collection's samples, so that each of them is
   * requested.
   */
  unavailableAfterGivenUp: number;
  /** How long a host, or a robots.txt that could not be fetched, counts as unavailable. */
  unavailableMs: number;
  /** How long a robots.txt may be used. @see https://www.rfc-editor.org/rfc/rfc9309#section-2.4 */
  robotsMaxAgeMs: number;
  /** How long it may be used after that while it cannot be fetched again. */
  robotsStaleMaxMs: number;
  /** How long requests go back to the queue while our own network is down: the interval of the probe. */
  networkWaitMs: number;
  /** The number of our own errors after which a request goes to the dead-letter queue. */
  maxCrashes: number;
  /** The longest that one exchange may last. */
  exchangeMaxMs: number;
  /** The longest that an exchange may last whose body is streamed to the store. */
  streamMaxMs: number;
}

/** The interval of the probe of our own network. */
export const networkWaitMs = 300_000;

/** The settings of a deployment, completed by the defaults. */
export function gatePolicy(
  set: Pick<GatePolicy, "defaultDelayMs" | "maxAttempts" | "backoffBaseMs"> & Partial<GatePolicy>,
): GatePolicy {
  return {
    minDelayMs: 0,
    crawlDelayMinMs: 0,
    crawlDelayMaxMs: 30_000,
    backoffMaxMs: 300_000,
    retryAfterMaxMs: 3_600_000,
    givesUpLongerRetryAfter: false,
    lastAttemptMinDelayMs: 0,
    singleAttemptAfterGivenUp: 2,
    unavailableAfterGivenUp: 8,
    unavailableMs: 600_000,
    robotsMaxAgeMs: dayMs,
    robotsStaleMaxMs: 30 * dayMs,
    networkWaitMs,
    maxCrashes: 10,
    exchangeMaxMs: defaultLimits.headersMs + defaultLimits.bodyMs,
    streamMaxMs: defaultLimits.headersMs + defaultLimits.streamMs,
    ...set,
  };
}

import { dayMs } from "../../core/day.ts";
import { defaultLimits } from "../exchange/limits.ts";

/** The gate's delays, retries and time limits. */
export interface GatePolicy {
  /** The delay after a request whose source does not set a delay. */
  defaultDelayMs: number;
  /** The shortest delay that a source may set. */
  minDelayMs: number;
  /** The bounds to which a host's Crawl-delay is clamped. */
  crawlDelayMinMs: number;
  crawlDelayMaxMs: number;
  /** The number of attempts per request, including the first one. */
  maxAttempts: number;
  backoffBaseMs: number;
  /** The longest back-off. It is also the longest wait after an error of Ingather. */
  backoffMaxMs: number;
  /** The longest Retry-After that is obeyed in full. */
  retryAfterMaxMs: number;
  /**
   * What happens after a longer Retry-After. If set, the host is given up for the requested time. If not, it is
   * requested again after `retryAfterMaxMs`.
   */
  givesUpLongerRetryAfter: boolean;
  /**
   * The shortest wait before the last attempt at a host that cannot be reached. If this wait is longer than the
   * interval of the network probe, a host is given up only after the network was seen to be up between the attempts.
   */
  lastAttemptMinDelayMs: number;
  /**
   * The number of consecutive requests given up because of their host after which each further request gets one
   * attempt.
   */
  singleAttemptAfterGivenUp: number;
  /**
   * The number of consecutive requests given up because of their host after which the host counts as unavailable. It is
   * greater than the number of samples of a collection, so that each sample is requested.
   */
  unavailableAfterGivenUp: number;
  /** The time for which a host, or a robots.txt that could not be fetched, counts as unavailable. */
  unavailableMs: number;
  /** The time for which a robots.txt may be used. @see https://www.rfc-editor.org/rfc/rfc9309#section-2.4 */
  robotsMaxAgeMs: number;
  /** The further time for which an expired robots.txt may be used while it cannot be fetched again. */
  robotsStaleMaxMs: number;
  /**
   * The time for which requests return to the queue while Ingather's own network is down. It is the interval of the
   * network probe.
   */
  networkWaitMs: number;
  /** The number of Ingather's own errors, or ended processes, after which a request goes to the dead-letter queue. */
  maxCrashes: number;
  /** The number of failures of AWS after which it does, so that it does not block its host if AWS fails only for it. */
  maxOutages: number;
  /** The longest duration of an exchange. */
  exchangeMaxMs: number;
  /** The longest duration of an exchange whose body is streamed to the store. */
  streamMaxMs: number;
}

/** The interval of the network probe. */
export const networkWaitMs = 300_000;

/** Returns the settings of a deployment, completed with the defaults. */
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
    maxCrashes: 5,
    maxOutages: 10,
    exchangeMaxMs: defaultLimits.headersMs + defaultLimits.bodyMs,
    streamMaxMs: defaultLimits.headersMs + defaultLimits.streamMs,
    ...set,
  };
}

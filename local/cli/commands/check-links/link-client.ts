import { maxPageBytes } from "../../../../shared/links/rule/match-page.ts";
import type { AddressPolicy } from "../../../../shared/web/address/admit-url.ts";
import { createHttpClient, type HttpClient } from "../../../../shared/web/exchange/http-client.ts";
import { defaultLimits } from "../../../../shared/web/exchange/limits.ts";
import type { ProxyFor } from "../../../../shared/web/exchange/proxy-environment.ts";
import { type GatePolicy, gatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import { type GivenHeaders, withHeaders } from "./header-option.ts";

/** How hosts are requested. The settings can be sent to a worker thread. */
export interface LinkClientSettings {
  addresses: AddressPolicy;
  delayMs: number;
  timeoutMs: number;
  retries: number;
  headers: GivenHeaders;
  insecureHosts: ReadonlySet<string>;
}

/** The maximum number of connections that are kept open, over all threads. */
const maxOpenHosts = 1000;

/** Creates the client of one thread. @param threads the number of threads that share the hosts */
export function createLinkClient(
  { addresses, timeoutMs, headers, insecureHosts }: LinkClientSettings,
  { proxyFor, threads = 1 }: { proxyFor: ProxyFor | undefined; threads?: number },
): HttpClient {
  const client = createHttpClient({
    policy: addresses,
    limits: {
      bodyBytes: maxPageBytes,
      connectMs: Math.min(timeoutMs, defaultLimits.connectMs),
      headersMs: timeoutMs,
      bodyMs: 3 * timeoutMs,
    },
    maxOpenHosts: Math.ceil(maxOpenHosts / threads),
    insecureHosts,
    proxyFor,
  });
  return { exchange: withHeaders(client.exchange, headers), close: () => client.close() };
}

/**
 * Returns the gate's policy. Retry-After is capped because a user waits; the links of a host that asks for
 * more are inconclusive.
 */
export function linkPolicy({
  delayMs,
  retries,
}: Pick<LinkClientSettings, "delayMs" | "retries">): GatePolicy {
  return gatePolicy({
    defaultDelayMs: delayMs,
    maxAttempts: retries + 1,
    backoffBaseMs: 2000,
    retryAfterMaxMs: 60_000,
    backoffMaxMs: 16_000,
  });
}

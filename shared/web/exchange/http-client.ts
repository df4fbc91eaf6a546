import { buildConnector, Client } from "undici";
import { type AddressPolicy, admitUrl, mayBePrivate } from "../address/admit-url.ts";
import { isForbiddenAddress } from "../address/forbidden-address.ts";
import { hostKey } from "../address/host-key.ts";
import type { BodyPlace } from "./body-memory.ts";
import { acceptEncoding } from "./decode-body.ts";
import type { AnswerHead, BodyMode, ExchangeOutcome, Method, StoreMode } from "./exchange.ts";
import { guardedLookup } from "./guarded-lookup.ts";
import { defaultLimits, type ExchangeLimits, lookupTimeoutMs, perAddressTimeoutMs } from "./limits.ts";
import { maxIdleMs, OpenOrigins } from "./origins.ts";
import { proxyAuthorization, proxyConnector } from "./proxy.ts";
import type { ProxyFor } from "./proxy-environment.ts";
import { type Resolve, resolvePrivate, resolvePublic } from "./resolve.ts";
import { RunningExchange } from "./running-exchange.ts";
import { WireTap } from "./tolerant/wire-tap.ts";

export interface ExchangeRequest {
  url: string;
  /** GET when absent. */
  method?: Method;
  /** Names are in lower case. A given `accept-encoding` replaces the client's own. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** `keep` when absent. The mode may depend on the response. */
  bodyMode?: BodyMode | ((head: AnswerHead) => BodyMode);
  /**
   * Stores the response as it is received, over HTTP/1.1. The outcome then has no body, and `bodyMode` has no effect.
   */
  capture?: StoreMode;
  /** The place that gives a large body its memory. Without a place, only the limits of each exchange apply. */
  place?: BodyPlace | undefined;
  signal?: AbortSignal;
}

export interface HttpClient {
  /**
   * Sends one request, once. Failures of the host are returned as values. Redirects are returned as responses and not
   * followed.
   * @throws the signal's reason when the caller aborts; undici's error when the request itself is invalid;
   * ThrottledError when no memory is free for the body, which says nothing about the host
   */
  exchange(request: ExchangeRequest): Promise<ExchangeOutcome>;
  /** Waits for the exchanges in progress and closes all connections. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  policy: AddressPolicy;
  limits?: Partial<ExchangeLimits>;
  /** Replaces the lookup in the machine's hosts file and name servers. */
  resolve?: Resolve;
  /** The number of origins whose connections are kept; 256 when absent. */
  maxOpenHosts?: number;
  /** Host keys whose certificates are not verified. */
  insecureHosts?: ReadonlySet<string>;
  /** Returns the proxy of a URL. If it is absent, hosts are requested directly. */
  proxyFor?: ProxyFor | undefined;
}

const defaultHeaders: Record<string, string> = { "accept-encoding": acceptEncoding };

/** Replay tools cannot decode all encodings that this client decodes. */
const captureHeaders: Record<string, string> = { "accept-encoding": "gzip" };

/**
 * Creates the client through which all connections to content providers are opened. The client keeps one connection per
 * origin alive. The caller ensures that a host gets one request at a time. Addresses are checked when a connection is
 * made, so the checked address is the one that is used.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { policy, maxOpenHosts = 256 } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const connectorFor = (
    resolve: Resolve,
    isForbidden: (address: string) => boolean,
    tls: { allowH2: boolean; rejectUnauthorized?: false },
  ): buildConnector.connector =>
    buildConnector({
      lookup: guardedLookup(options.resolve ?? resolve, isForbidden, lookupTimeoutMs(limits)),
      timeout: limits.connectMs,
      autoSelectFamilyAttemptTimeout: perAddressTimeoutMs(limits),
      ...tls,
    });
  /**
   * Returns the connector of an origin that has a proxy or whose certificate is not verified.
   * @returns undefined for all other origins
   */
  const specialConnector = (url: URL, allowH2: boolean): buildConnector.connector | undefined => {
    const proxy = options.proxyFor?.(url);
    const isInsecure = options.insecureHosts?.has(hostKey(url)) ?? false;
    if (proxy === undefined && !isInsecure) return undefined;
    const isPrivate = mayBePrivate(url, policy);
    const isForbidden = isPrivate ? () => false : isForbiddenAddress;
    const resolve = isPrivate ? resolvePrivate : resolvePublic;
    const tls = { allowH2, ...(isInsecure && { rejectUnauthorized: false as const }) };
    const toHost = connectorFor(resolve, isForbidden, tls);
    if (proxy === undefined) return toHost;
    return proxyConnector({
      proxy,
      toProxy: connectorFor(resolvePrivate, () => false, { allowH2: false }),
      overTunnel: toHost,
      resolve: options.resolve ?? resolve,
      isForbidden,
      timeoutMs: limits.connectMs,
    });
  };
  const originsBy = (allowH2: boolean) => {
    const toPublicHosts = connectorFor(resolvePublic, isForbiddenAddress, { allowH2 });
    const toAllowedHosts = connectorFor(resolvePrivate, () => false, { allowH2 });
    return new OpenOrigins(maxOpenHosts, (url) => {
      const tap = new WireTap(limits.headerBytes);
      const client = new Client(url.origin, {
        connect: tap.connector(
          specialConnector(url, allowH2) ?? (mayBePrivate(url, policy) ? toAllowedHosts : toPublicHosts),
        ),
        maxHeaderSize: limits.headerBytes,
        // An exchange has a deadline for the whole body. undici's timeout applies to the time between two bytes
        // instead.
        headersTimeout: 0,
        bodyTimeout: 0,
        // Hosts close an idle connection after 5 s (Node, Apache), later, or after the time in their Keep-Alive header.
        // The client closes it first, because a request on a closing connection is lost.
        keepAliveTimeout: maxIdleMs,
        keepAliveTimeoutThreshold: 2_000,
      });
      return { client, tap };
    });
  };
  const origins = originsBy(true);
  const http1Origins = originsBy(false);

  return {
    exchange(request) {
      const admission = admitUrl(request.url, policy);
      if (admission.type === "refused") return Promise.resolve(admission);
      const { url } = admission;
      const { signal, headers } = request;
      if (signal?.aborted) return Promise.reject(signal.reason);
      const proxy = url.protocol === "http:" ? options.proxyFor?.(url) : undefined;
      const prepared = {
        path: proxy === undefined ? url.pathname + url.search : url.href,
        method: request.method ?? "GET",
        headers: {
          ...(request.capture ? captureHeaders : defaultHeaders),
          ...headers,
          ...(proxy && proxyAuthorization(proxy)),
        },
        payload: request.body,
        bodyMode: request.bodyMode ?? "keep",
        capture: request.capture,
        place: request.place,
        secure: url.protocol === "https:",
        signal,
      };
      const outcome = new Promise<ExchangeOutcome>((resolve, reject) => {
        new RunningExchange(
          prepared,
          { origin: (request.capture ? http1Origins : origins).of(url), limits },
          { resolve, reject },
        );
      });
      return proxy === undefined ? outcome : outcome.then((answer) => blameProxy(answer, proxy));
    },
    async close() {
      await Promise.all([origins.close(), http1Origins.close()]);
    },
  };
}

/** A 407 is the response of the proxy, so it says nothing about the host. */
function blameProxy(outcome: ExchangeOutcome, { host }: URL): ExchangeOutcome {
  if (outcome.type !== "answered" || outcome.status !== 407) return outcome;
  const detail = `the proxy ${host} requires a user name and password (407)`;
  return { type: "failed", reason: "connect", detail, elapsedMs: outcome.elapsedMs };
}

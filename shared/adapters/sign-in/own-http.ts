import { PlatformError } from "../../core/errors.ts";

interface OwnRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | Blob;
  /** Default: that of API Gateway. */
  timeoutMs?: number;
  /** Ends the request. */
  signal?: AbortSignal | undefined;
}

export interface OwnResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** API Gateway ends a request after 30 s. */
const gatewayTimeoutMs = 29_000;

/**
 * Creates the client for Ingather's own services: the API, its bucket of uploads, and the issuer of tokens. They do not provide content, so
 * their requests do not pass the gate. Requests to origins that are not in the list are refused.
 */
export function createOwnHttp(origins: readonly string[]): (asked: OwnRequest) => Promise<OwnResponse> {
  return async ({ method, url, headers = {}, body, timeoutMs = gatewayTimeoutMs, signal }) => {
    const { origin, pathname } = new URL(url);
    if (!origins.includes(origin)) throw new PlatformError(`${origin} is not a service of Ingather`);
    try {
      const answer = await fetch(url, {
        method,
        headers,
        body: body ?? null,
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: await answer.text(),
      };
    } catch (error) {
      throw new PlatformError(`${origin}${pathname} did not answer: ${(error as Error).message}`);
    }
  };
}

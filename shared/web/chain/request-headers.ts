import { kindPolicy } from "../request/kinds.ts";
import type { OutboundRequest } from "../request/request.ts";
import { type CachedAnswer, conditionalHeaders } from "./conditional.ts";
import { cookieHeader, type Jar } from "./cookie-jar.ts";

/**
 * Returns the headers of a request, both for the gate and for the process that checks links. The request's own headers
 * replace the defaults of the same name.
 * @param given.userAgent the deployment's User-Agent, unless the request has its own
 * @param given.earlier the earlier response, for a conditional request
 */
export function requestHeaders(
  request: Pick<OutboundRequest, "kind" | "userAgent" | "headers"> & { cookies: Jar },
  url: URL,
  given: { userAgent: string; earlier: CachedAnswer | undefined; now: Date },
): Record<string, string> {
  const { accept, acceptEncoding } = kindPolicy(request.kind);
  const cookie = cookieHeader(request.cookies, url);
  return {
    "user-agent": request.userAgent ?? given.userAgent,
    accept,
    ...(acceptEncoding !== undefined && { "accept-encoding": acceptEncoding }),
    ...request.headers,
    ...(cookie !== undefined && { cookie }),
    ...conditionalHeaders(given.earlier, given.now),
  };
}

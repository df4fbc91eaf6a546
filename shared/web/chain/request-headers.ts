import { kindPolicy } from "../request/kinds.ts";
import type { OutboundRequest } from "../request/request.ts";
import { type CachedAnswer, conditionalHeaders } from "./conditional.ts";
import { cookieHeader, type Jar } from "./cookie-jar.ts";

/**
 * The headers of a request, of the gate's as of those of the process that checks links. The request's own replace those of
 * its kind.
 * @param given.userAgent that of the deployment; a request may have its own
 * @param given.earlier an answer that need not be sent again if it still holds
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

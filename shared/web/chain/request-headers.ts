import type { OutboundRequest } from "../gate/request.ts";
import { conditionalHeaders, type Validators } from "./conditional.ts";
import { cookieHeader, type Jar } from "./cookie-jar.ts";

const acceptPage = "text/html, application/xhtml+xml, */*;q=0.5";

const acceptHeaders: Record<OutboundRequest["kind"], string> = {
  feed: "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5",
  page: "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5",
  article: acceptPage,
  authority: acceptPage,
  link: acceptPage,
  "rule-test": acceptPage,
};

/**
 * The headers of a request, whoever asks: the gate, or one process that checks links.
 * @param given.userAgent that of the deployment; a request may have its own
 * @param given.earlier an answer that need not be sent again if it still holds
 */
export function requestHeaders(
  request: Pick<OutboundRequest, "kind" | "userAgent"> & { cookies: Jar },
  url: URL,
  given: { userAgent: string; earlier: Validators | undefined; now: Date },
): Record<string, string> {
  const cookie = cookieHeader(request.cookies, url);
  return {
    "user-agent": request.userAgent ?? given.userAgent,
    accept: acceptHeaders[request.kind],
    ...(cookie !== undefined && { cookie }),
    ...conditionalHeaders(given.earlier, given.now),
  };
}

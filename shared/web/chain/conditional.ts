import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import type { Answer } from "../exchange/exchange.ts";
import { methodOf, type OutboundRequest } from "../request/request.ts";

/** An earlier response: its validators for the next conditional request, and the place of its body. */
export interface CachedAnswer {
  etag?: string;
  lastModified?: string;
  /** The key and the type of the stored body. */
  bodyKey: string;
  contentType?: string;
  /** ISO 8601. */
  fetchedAt: string;
}

export interface ValidatorStore {
  recall(key: string): Promise<CachedAnswer | undefined>;
  /**
   * Returns the earlier responses by their keys. Keys without an earlier response are omitted. The keys must be
   * distinct.
   */
  recallAll(keys: string[]): Promise<ReadonlyMap<string, CachedAnswer>>;
  remember(key: string, validators: CachedAnswer): Promise<void>;
}

/** Bodies are stored for 90 days, so after a 304 a reader has at least 30 days to read the body. */
export const validatorsMaxAgeDays = 60;

/** Other validators are ignored: longer ones, and those with characters that a header cannot carry unchanged. */
const printableHeader = /^[\x20-\x7e]{1,1024}$/;

/**
 * Returns the key of a request's earlier response, made of the request's kind, URL and own headers.
 * @returns undefined for requests that are never conditional:
 * - requests with cookies: the response is valid for their chain of redirects only
 * - methods other than GET: the response may depend on the request's body
 * - requests whose bodies are discarded, streamed or captured: these bodies cannot be returned again
 */
export function validatorsKey(
  request: Pick<OutboundRequest, "kind" | "url" | "method" | "headers" | "cookies" | "bodyPolicy">,
): string | undefined {
  const { kind, url, headers, cookies, bodyPolicy } = request;
  const isKept = typeof bodyPolicy === "string" && bodyPolicy !== "discard";
  if (!isKept || cookies.length > 0 || methodOf(request) !== "GET") return undefined;
  return headers === undefined ? digest(kind, url) : digest(kind, url, JSON.stringify(headers));
}

/**
 * Returns the response as it is remembered, without the place of its body.
 * @returns undefined when the response has no validators
 */
export function cachedAnswerOf(answer: Answer, now: Date): Omit<CachedAnswer, "bodyKey"> | undefined {
  const { etag = "", "last-modified": lastModified = "", "content-type": contentType } = answer.headers;
  if (answer.status !== 200 || !(printableHeader.test(etag) || printableHeader.test(lastModified)))
    return undefined;
  return {
    ...(printableHeader.test(etag) && { etag }),
    ...(printableHeader.test(lastModified) && { lastModified }),
    ...(contentType !== undefined && { contentType }),
    fetchedAt: now.toISOString(),
  };
}

/**
 * Returns the headers of a conditional request. There are none if the earlier body may be deleted soon.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests
 */
export function conditionalHeaders(known: CachedAnswer | undefined, now: Date): Record<string, string> {
  const oldestMs = now.getTime() - validatorsMaxAgeDays * dayMs;
  if (known === undefined || Date.parse(known.fetchedAt) < oldestMs) return {};
  return {
    ...(known.etag !== undefined && { "if-none-match": known.etag }),
    ...(known.lastModified !== undefined && { "if-modified-since": known.lastModified }),
  };
}

import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import type { Answer } from "../exchange/exchange.ts";
import { methodOf, type OutboundRequest } from "../request/request.ts";

/** An earlier response: its validators for the next conditional request, and its stored body. */
export interface CachedAnswer {
  etag?: string;
  lastModified?: string;
  /** Where the body is stored, and its type. */
  bodyKey: string;
  contentType?: string;
  /** ISO 8601. */
  fetchedAt: string;
}

export interface ValidatorStore {
  recall(key: string): Promise<CachedAnswer | undefined>;
  /** The earlier responses by their keys, without those that are not known. No key may be given twice. */
  recallAll(keys: string[]): Promise<ReadonlyMap<string, CachedAnswer>>;
  remember(key: string, validators: CachedAnswer): Promise<void>;
}

/** Bodies are stored for 90 days: after a 304 a reader has 30 days left. */
export const validatorsMaxAgeDays = 60;

/** Longer validators are ignored, and those with other characters, which a header cannot carry unchanged. */
const printableHeader = /^[\x20-\x7e]{1,1024}$/;

/**
 * The key of a request's earlier response: its kind, URL and own headers. `undefined` for requests that are never
 * conditional:
 * - with cookies: the response is for this chain only
 * - other methods than GET: the response may depend on the request's body
 * - bodies that are discarded, streamed or captured: they cannot be returned again
 */
export function validatorsKey(
  request: Pick<OutboundRequest, "kind" | "url" | "method" | "headers" | "cookies" | "bodyPolicy">,
): string | undefined {
  const { kind, url, headers, cookies, bodyPolicy } = request;
  const isKept = typeof bodyPolicy === "string" && bodyPolicy !== "discard";
  if (!isKept || cookies.length > 0 || methodOf(request) !== "GET") return undefined;
  return headers === undefined ? digest(kind, url) : digest(kind, url, JSON.stringify(headers));
}

/** The response to remember, but for the place of its body; `undefined` when it has no validators. */
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
 * The headers of a conditional request. None when the earlier body may be deleted soon.
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

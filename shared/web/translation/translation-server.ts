import type { AddressPolicy } from "../address/admit-url.ts";
import { hostKey } from "../address/host-key.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import { createHttpClient, type ExchangeRequest, type HttpClient } from "../exchange/http-client.ts";
import type { TranslationResult } from "./translation-options.ts";
import { maxConcurrentCalls } from "./translation-slots.ts";

/** A page to translate into items. */
export interface TranslationCall {
  url: string;
  /** An ISSN to search for, instead of translating the page. The server must support `searchmultiple`. */
  search?: string | undefined;
  /** The choices to post back, as JSON. */
  choices?: Uint8Array | undefined;
  userAgent: string;
}

/**
 * The server's response, or the information that the server is unavailable, which says nothing about the page's host.
 */
type TranslationOutcome = Extract<ExchangeOutcome, { type: "answered" | "failed" }>;

/**
 * A client of Ingather's Zotero translation server. It uses a separate HTTP client, which sends requests only to this
 * server, because the server's address may be private.
 * @see https://github.com/zotero/translation-server
 */
export interface TranslationServer {
  /** The longest total time of a call for a page and a call for its choices. */
  maxMs: number;
  translate(call: TranslationCall): Promise<TranslationOutcome>;
  close(): Promise<void>;
}

/** The limits are short, because the server is near and its responses are small. */
const limits = { connectMs: 5_000, bodyMs: 10_000 };

/** Statuses by which a proxy reports that the server is unavailable. Other statuses describe the page. */
const unavailableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Statuses with which a Retry-After applies. */
const retryAfterStatuses: ReadonlySet<number> = new Set([429, 503]);

/** One client for pages, and one for posted choices, which take up to twice as long. */
interface Connections {
  single: HttpClient;
  double: HttpClient;
}

/** @param options.timeoutMs the time limit for a page; choices get twice this time */
export function createTranslationServer({
  url,
  timeoutMs,
}: {
  url: URL;
  timeoutMs: number;
}): TranslationServer {
  const base = url.href.replace(/\/*$/, "/");
  const policy: AddressPolicy = { ports: new Set(), allowedPrivateHosts: new Set([hostKey(url)]) };
  const clientFor = (headersMs: number) => createHttpClient({ policy, limits: { ...limits, headersMs } });
  const open: Connections[] = [];
  const idle: Connections[] = [];
  const waiting: (() => void)[] = [];

  function openConnections(): Connections {
    const connections = { single: clientFor(timeoutMs), double: clientFor(2 * timeoutMs) };
    open.push(connections);
    return connections;
  }

  async function withConnections<Outcome>(
    work: (connections: Connections) => Promise<Outcome>,
  ): Promise<Outcome> {
    while (idle.length === 0 && open.length === maxConcurrentCalls) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    const connections = idle.pop() ?? openConnections();
    try {
      return await work(connections);
    } finally {
      idle.push(connections);
      waiting.shift()?.();
    }
  }

  return {
    maxMs: 3 * timeoutMs + 2 * limits.bodyMs,
    async translate(call) {
      const endpoint = base + (call.search === undefined ? "web" : "searchmultiple");
      const requestOf = (contentType: string, body: ExchangeRequest["body"] & {}): ExchangeRequest => ({
        url: endpoint,
        method: "POST",
        headers: { "user-agent": call.userAgent, accept: "application/json", "content-type": contentType },
        body,
      });
      return withConnections(async ({ single, double }) => {
        if (call.choices !== undefined)
          return translationOutcome(
            await double.exchange(requestOf("application/json", call.choices)),
            "choices",
          );
        return translationOutcome(
          await single.exchange(requestOf("text/plain", call.search ?? call.url)),
          "page",
        );
      });
    },
    async close() {
      await Promise.all(open.flatMap(({ single, double }) => [single.close(), double.close()]));
    },
  };
}

function translationOutcome(outcome: ExchangeOutcome, of: "page" | "choices"): TranslationOutcome {
  const isUsable = outcome.type === "answered" && outcome.bodyProblem === undefined;
  if (isUsable && !unavailableStatuses.has(outcome.status)) {
    return { ...outcome, transport: { translated: of } satisfies TranslationResult };
  }
  const elapsedMs = outcome.type === "refused" ? 0 : outcome.elapsedMs;
  const failed = { type: "failed" as const, reason: "transport-unavailable" as const };
  const retryAfter =
    isUsable && retryAfterStatuses.has(outcome.status) ? outcome.headers["retry-after"] : undefined;
  return {
    ...failed,
    detail: `the translation server: ${describeFailure(outcome)}`,
    elapsedMs,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

function describeFailure(outcome: ExchangeOutcome): string {
  if (outcome.type !== "answered") return `${outcome.reason}: ${outcome.detail}`;
  const { status, bodyProblem } = outcome;
  return bodyProblem === undefined ? `it answered ${status}` : `it answered ${status}: ${bodyProblem.detail}`;
}

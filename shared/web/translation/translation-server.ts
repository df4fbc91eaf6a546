import type { AddressPolicy } from "../address/admit-url.ts";
import { hostKey } from "../address/host-key.ts";
import type { ExchangeOutcome } from "../exchange/exchange.ts";
import { createHttpClient, type ExchangeRequest, type HttpClient } from "../exchange/http-client.ts";
import type { TranslationResult } from "./translation-options.ts";
import { maxConcurrentCalls } from "./translation-slots.ts";

/** A page that is to be translated into items, on behalf of its host. */
export interface TranslationCall {
  url: string;
  /** Searched for instead of the page: an ISSN, as servers with `searchmultiple` know it. */
  search?: string | undefined;
  /** The choices to take, as they are posted back. */
  choices?: Uint8Array | undefined;
  userAgent: string;
}

/** What the server answered, or that it is not there: never the fault of the page's host. */
type TranslationOutcome = Extract<ExchangeOutcome, { type: "answered" | "failed" }>;

/**
 * A Zotero translation server: ours, and alone in what it may be asked by a client of its own, whose address may be
 * private. No other request goes through that client.
 * @see https://github.com/zotero/translation-server
 */
export interface TranslationServer {
  /** The longest that a call for a page and one for its choices may last together. */
  maxMs: number;
  translate(call: TranslationCall): Promise<TranslationOutcome>;
  close(): Promise<void>;
}

/** The server is near, and its answers are small. */
const limits = { connectMs: 5_000, bodyMs: 10_000 };

/** By these a proxy says that the server is not there; what the server itself says of a page is an answer. */
const unavailableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** By these a server may say when it is to be asked again. */
const retryAfterStatuses: ReadonlySet<number> = new Set([429, 503]);

/** One connection for single calls, one for the posted choices, which take twice the time. */
interface Connections {
  single: HttpClient;
  double: HttpClient;
}

/** @param options.timeoutMs for a page; twice as long for its choices */
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

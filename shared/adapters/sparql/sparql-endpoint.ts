import { RemoteError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { allowingHostsOf } from "../../web/address/admit-url.ts";
import type { ExchangeOutcome } from "../../web/exchange/exchange.ts";
import { createHttpClient } from "../../web/exchange/http-client.ts";

/** A check waits for the endpoint; an answer is some 50 bytes. */
const limits = { connectMs: 3_000, headersMs: 8_000, bodyMs: 3_000, bodyBytes: 100_000 };

export interface SparqlEndpoint {
  /** @throws RemoteError when the endpoint does not answer, or not with a boolean */
  ask(query: string): Promise<boolean>;
  /** @throws RemoteError when the endpoint does not answer with success */
  update(operation: string): Promise<void>;
  close(): Promise<void>;
}

interface SparqlEndpointOptions {
  queryUrl: URL;
  /** The query URL when absent. */
  updateUrl?: URL | undefined;
  /** Fetched at the first call, and again when the endpoint refuses it; absent: none are sent. */
  login?: (() => Promise<{ user: string; password: string }>) | undefined;
}

interface SparqlRequest {
  headers: Record<string, string>;
  body: string;
}

/**
 * A SPARQL 1.1 endpoint of the operator's, which may have a private address and any port.
 * @see https://www.w3.org/TR/sparql11-protocol/
 */
export function createSparqlEndpoint({
  queryUrl,
  updateUrl = queryUrl,
  login,
}: SparqlEndpointOptions): SparqlEndpoint {
  const client = createHttpClient({ policy: allowingHostsOf([queryUrl, updateUrl]), limits });
  let authorization: Promise<string> | undefined;
  const credentials = async (): Promise<Record<string, string>> => {
    if (login === undefined) return {};
    authorization ??= login().then(
      ({ user, password }) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
    );
    try {
      return { authorization: await authorization };
    } catch (error) {
      // The next call may succeed.
      authorization = undefined;
      throw error;
    }
  };
  const send = async (url: URL, request: SparqlRequest): Promise<string> => {
    const post = async (authorized: Record<string, string>) =>
      client.exchange({
        url: url.href,
        method: "POST",
        headers: { ...request.headers, ...authorized },
        body: request.body,
      });
    const known = authorization;
    let outcome = await post(await credentials());
    if (known !== undefined && outcome.type === "answered" && outcome.status === 401) {
      // The password has been changed since the last call, perhaps.
      authorization = undefined;
      outcome = await post(await credentials());
    }
    return readAnswer(url, outcome);
  };
  return {
    async ask(query) {
      const text = await send(queryUrl, {
        headers: { "content-type": "application/sparql-query", accept: "application/sparql-results+json" },
        body: query,
      });
      const answer = parseBoolean(text);
      if (answer === undefined) {
        throw failed(
          queryUrl,
          `answered ${JSON.stringify(text.slice(0, 100))}, which is not the result of an ASK query`,
        );
      }
      return answer;
    },
    async update(operation) {
      const headers = { "content-type": "application/sparql-update", accept: "*/*" };
      await send(updateUrl, { headers, body: operation });
    },
    close: () => client.close(),
  };
}

/** @throws RemoteError for no answer, part of one, or one without success */
function readAnswer(url: URL, outcome: ExchangeOutcome): string {
  if (outcome.type !== "answered")
    throw failed(url, `gave no response (${outcome.reason}): ${outcome.detail}`);
  const { status, headers, bodyProblem } = outcome;
  const text = new TextDecoder().decode(outcome.body);
  if (bodyProblem !== undefined) throw failed(url, `answered ${status}: ${bodyProblem.detail}`);
  if (status < 200 || status > 299) {
    const location = headers.location;
    const target = location === undefined ? "" : `, redirected to ${location}: configure that URL`;
    throw failed(url, `answered ${status} ${JSON.stringify(text.slice(0, 200))}${target}`);
  }
  return text;
}

/** @see https://www.w3.org/TR/sparql11-results-json/#ask-result-form */
function parseBoolean(text: string): boolean | undefined {
  const answer = parseJson(text) as { boolean?: unknown } | null | undefined;
  return typeof answer?.boolean === "boolean" ? answer.boolean : undefined;
}

function failed({ origin, pathname }: URL, problem: string): RemoteError {
  return new RemoteError(`the SPARQL endpoint ${origin}${pathname} ${problem}`);
}

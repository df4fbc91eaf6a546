import { RemoteError } from "../../core/errors.ts";
import { allowingHostsOf } from "../../web/address/admit-url.ts";
import type { ExchangeOutcome } from "../../web/exchange/exchange.ts";
import { createHttpClient } from "../../web/exchange/http-client.ts";
import { readAskResult } from "./ask-result.ts";
import {
  buildRequest,
  formRefusals,
  type RequestForm,
  requestForms,
  type SparqlOperation,
  type SparqlRequest,
} from "./request-form.ts";

/** The limits are short, because a check waits for the endpoint. A response has about 50 bytes. */
const limits = { connectMs: 3_000, headersMs: 8_000, bodyMs: 3_000, bodyBytes: 100_000 };

export interface SparqlEndpoint {
  /** @throws RemoteError when the endpoint does not respond, or not with a boolean */
  ask(query: string): Promise<boolean>;
  /** @throws RemoteError when the endpoint does not respond with success */
  update(operation: string): Promise<void>;
  close(): Promise<void>;
}

interface SparqlEndpointOptions {
  queryUrl: URL;
  /** The query URL is used when this is absent. */
  updateUrl?: URL | undefined;
  /**
   * Returns the credentials. They are fetched at the first call, and again when the endpoint refuses them. When absent,
   * no credentials are sent.
   */
  login?: (() => Promise<{ user: string; password: string }>) | undefined;
}

/**
 * Creates a client of an operator's SPARQL 1.1 endpoint, which may have a private address and any port. The first
 * request finds out which of the protocol's request forms the endpoint accepts. This is repeated when the endpoint no
 * longer accepts that form.
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
      // A later call may succeed.
      authorization = undefined;
      throw error;
    }
  };
  const exchange = async (request: SparqlRequest): Promise<ExchangeOutcome> => {
    const send = async (authorized: Record<string, string>) =>
      client.exchange({ ...request, headers: { ...request.headers, ...authorized } });
    const known = authorization;
    const outcome = await send(await credentials());
    if (known === undefined || outcome.type !== "answered" || outcome.status !== 401) return outcome;
    // The password may have been changed since the last call.
    authorization = undefined;
    return send(await credentials());
  };
  const known: Partial<Record<SparqlOperation, RequestForm>> = {};
  /**
   * Sends an operation in the form that the endpoint accepted before. Otherwise all forms are tried until the endpoint
   * accepts one.
   */
  const perform = async <T>(
    operation: SparqlOperation,
    { url, text, read }: { url: URL; text: string; read(answer: string): T | undefined },
  ): Promise<T> => {
    let first: RemoteError | undefined;
    for (const form of requestForms(operation, known[operation])) {
      const outcome = await exchange(buildRequest(operation, form, { url, text }));
      const isRefused = outcome.type === "answered" && formRefusals.has(outcome.status);
      try {
        const answer = readAnswer(url, outcome);
        const result = read(answer);
        if (result === undefined) throw failed(url, notUnderstood(answer));
        known[operation] = form;
        return result;
      } catch (error) {
        if (known[operation] === form) delete known[operation];
        if (!(error instanceof RemoteError)) throw error;
        first ??= error;
        const isSuccess = outcome.type === "answered" && outcome.status >= 200 && outcome.status <= 299;
        if (!isRefused && !(isSuccess && operation === "query")) throw error;
      }
    }
    throw first ?? failed(url, "accepts no form of the request");
  };
  return {
    ask: (query) => perform("query", { url: queryUrl, text: query, read: readAskResult }),
    async update(operation) {
      await perform("update", { url: updateUrl, text: operation, read: () => true });
    },
    close: () => client.close(),
  };
}

function notUnderstood(answer: string): string {
  return `answered ${JSON.stringify(answer.slice(0, 100))}, which is not the result of an ASK query`;
}

/** @throws RemoteError when the response is missing, incomplete or unsuccessful */
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

function failed({ origin, pathname }: URL, problem: string): RemoteError {
  return new RemoteError(`the SPARQL endpoint ${origin}${pathname} ${problem}`);
}

import { RemoteError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import { allowingHostsOf } from "../../web/address/admit-url.ts";
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

export interface SparqlEndpointOptions {
  queryUrl: URL;
  /** The query URL when absent. */
  updateUrl?: URL | undefined;
  /** Fetched once, at the first call; absent: none are sent. */
  login?: (() => Promise<{ user: string; password: string }>) | undefined;
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
    return { authorization: await authorization };
  };
  const send = async (
    url: URL,
    request: { contentType: string; accept: string; body: string },
  ): Promise<string> => {
    const headers = {
      "content-type": request.contentType,
      accept: request.accept,
      ...(await credentials()),
    };
    const outcome = await client.exchange({ url: url.href, method: "POST", headers, body: request.body });
    if (outcome.type !== "answered")
      throw failed(url, `gave no answer (${outcome.reason}): ${outcome.detail}`);
    const text = new TextDecoder().decode(outcome.body);
    if (outcome.bodyProblem !== undefined)
      throw failed(url, `answered ${outcome.status}: ${outcome.bodyProblem.detail}`);
    if (outcome.status < 200 || outcome.status > 299) {
      throw failed(url, `answered ${outcome.status} ${JSON.stringify(text.slice(0, 200))}`);
    }
    return text;
  };
  return {
    async ask(query) {
      const text = await send(queryUrl, {
        contentType: "application/sparql-query",
        accept: "application/sparql-results+json",
        body: query,
      });
      const answer = parseBoolean(text);
      if (answer === undefined) {
        throw failed(
          queryUrl,
          `answered ${JSON.stringify(text.slice(0, 100))}, which is no result of an ASK query`,
        );
      }
      return answer;
    },
    async update(operation) {
      await send(updateUrl, { contentType: "application/sparql-update", accept: "*/*", body: operation });
    },
    close: () => client.close(),
  };
}

/** @see https://www.w3.org/TR/sparql11-results-json/#ask-result-form */
function parseBoolean(text: string): boolean | undefined {
  const answer = parseJson(text) as { boolean?: unknown } | null | undefined;
  return typeof answer?.boolean === "boolean" ? answer.boolean : undefined;
}

function failed({ origin, pathname }: URL, problem: string): RemoteError {
  return new RemoteError(`the SPARQL endpoint ${origin}${pathname} ${problem}`);
}

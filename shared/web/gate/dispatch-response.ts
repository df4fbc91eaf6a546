import type { AddressPolicy } from "../address/admit-url.ts";
import { type Validators, validatorsKey, validatorsOf } from "../chain/conditional.ts";
import { followRedirect } from "../chain/redirects.ts";
import type { Answer, ExchangeOutcome } from "../exchange/exchange.ts";
import { applyBodyPolicy } from "./body-policy.ts";
import type { GatePorts } from "./gate-ports.ts";
import { exchangeId, type OutboundRequest } from "./request.ts";
import type { InboundResponse, ResponseOutcome } from "./response.ts";

interface DispatchContext {
  /** How often the host was asked. */
  attempts: number;
  /** What the request was conditional on. */
  earlier: Validators | undefined;
  ports: GatePorts;
  addresses: AddressPolicy;
}

/** Hands an outcome on: to the reader of its kind, or, when it is a redirect, to the line of the next host. */
export async function dispatchResponse(
  request: OutboundRequest,
  outcome: ExchangeOutcome,
  circumstances: DispatchContext,
): Promise<void> {
  const { attempts, earlier, ports, addresses } = circumstances;
  if (outcome.type === "refused") return ports.respond(responseWithoutAnswer(request, outcome));
  if (outcome.type === "failed") {
    const { reason, detail } = outcome;
    return ports.respond(responseWithoutAnswer(request, { type: "failed", reason, detail, attempts }));
  }
  const next = outcome.translated
    ? { type: "final" as const }
    : followRedirect(request, outcome, { addresses, now: ports.clock.now() });
  const hops = [...request.hops, { url: request.url, status: outcome.status }];
  if (next.type === "refused") return ports.respond(responseWithoutAnswer({ ...request, hops }, next));
  if (next.type === "follow") {
    return ports.enqueue({ ...request, url: next.url, hops, cookies: next.cookies });
  }
  const answered =
    outcome.status === 304 && earlier !== undefined
      ? notModifiedOutcome(request, outcome, earlier)
      : { ...answeredOutcome(request, outcome), ...(await storeBody(request, outcome, ports)) };
  return ports.respond({ request: withoutChain(request), outcome: answered });
}

/** The response to a request whose chain ends without an answer that can be used. */
export function responseWithoutAnswer(
  request: OutboundRequest,
  outcome: Exclude<ResponseOutcome, { type: "answered" }>,
): InboundResponse {
  const { hops } = request;
  return { request: withoutChain(request), outcome: { ...outcome, ...(hops.length > 0 && { hops }) } };
}

/**
 * The request as its reader gets it. Where it came through stands in the outcome; cookies are nobody's business, and ten
 * hops of long URLs twice would not fit into a message.
 */
function withoutChain(request: OutboundRequest): OutboundRequest {
  return { ...request, hops: [], cookies: [] };
}

type Answered = Extract<ResponseOutcome, { type: "answered" }>;

function answeredOutcome(request: OutboundRequest, answer: Omit<Answer, "body">): Answered {
  const { status, headers, bodyProblem, translated, skippedChoices, elapsedMs } = answer;
  const { url } = request;
  return {
    type: "answered",
    status,
    url,
    hops: [...request.hops, { url, status }],
    headers: readerHeaders(headers),
    ...(bodyProblem && { bodyProblem }),
    ...(translated && { translated }),
    ...(skippedChoices && { skippedChoices }),
    elapsedMs,
  };
}

/** The headers that a reader may want; all of them may take 64 KiB, and hold cookies. */
function readerHeaders(headers: Record<string, string>): Record<string, string> {
  const names = ["content-type", "content-language", "last-modified", "link"];
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

/**
 * The earlier answer, which still holds. Status and hops are those of that answer: whoever reads them wants to know of
 * the page, not of our cache.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-304-not-modified
 */
function notModifiedOutcome(
  request: OutboundRequest,
  { headers: fresh, elapsedMs }: Answer,
  { bodyKey, contentType }: Validators,
): Answered {
  const headers = contentType === undefined ? fresh : { ...fresh, "content-type": contentType };
  return {
    ...answeredOutcome(request, { type: "answered", status: 200, headers, elapsedMs }),
    bodyKey,
    notModified: true,
  };
}

/** Keeps the body of an answer, and what the host will know it by the next time. */
async function storeBody(
  request: OutboundRequest,
  answer: Answer,
  ports: GatePorts,
): Promise<{ bodyKey?: string }> {
  if (applyBodyPolicy(request.bodyPolicy, answer) === "discard" || answer.body.byteLength === 0) return {};
  const bodyKey = await ports.storeBody(exchangeId(request), answer.body, answer.headers["content-type"]);
  if (answer.translated !== undefined) {
    if (answer.translated === "choices") await ports.translator?.remember(request, answer.body, bodyKey);
    return { bodyKey };
  }
  const key = validatorsKey(request);
  const known = key === undefined ? undefined : validatorsOf(answer, bodyKey, ports.clock.now());
  if (key !== undefined && known !== undefined) await ports.validators?.remember(key, known);
  return { bodyKey };
}

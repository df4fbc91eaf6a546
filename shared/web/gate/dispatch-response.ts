import type { AddressPolicy } from "../address/admit-url.ts";
import { type CachedAnswer, cachedAnswerOf, validatorsKey } from "../chain/conditional.ts";
import { followRedirect } from "../chain/redirects.ts";
import { type Answer, type ExchangeOutcome, type Failure, hopOf, type Method } from "../exchange/exchange.ts";
import { applyBodyPolicy, isCapture } from "../request/body-policy.ts";
import { exchangeId, methodOf, type OutboundRequest } from "../request/request.ts";
import type { InboundResponse, ResponseOutcome } from "../request/response.ts";
import type { GatePorts } from "./gate-ports.ts";
import type { Transport } from "./transport.ts";

interface DispatchContext {
  /** Exchanges for this request, the last included. */
  attempts: number;
  /** The earlier response that the request was conditional on. */
  earlier?: CachedAnswer | undefined;
  /** Set when a transport made the request. */
  transport?: Transport | undefined;
  ports: GatePorts;
  addresses: AddressPolicy;
}

/** Sends an outcome to the reader of its kind, and a redirect to the queue of the next host. */
export async function dispatchResponse(
  request: OutboundRequest,
  outcome: ExchangeOutcome,
  context: DispatchContext,
): Promise<void> {
  const { attempts, earlier, transport, ports, addresses } = context;
  if (outcome.type === "refused") return ports.respond(responseWithoutAnswer(request, outcome));
  if (outcome.type === "failed") {
    return ports.respond(
      responseWithoutAnswer(request, failedOutcome(outcome, { url: request.url, attempts })),
    );
  }
  const method = methodOf(request);
  const next =
    transport || isCapture(request.bodyPolicy)
      ? { type: "final" as const }
      : followRedirect({ ...request, method }, outcome, { addresses, now: ports.clock.now() });
  const hops = [...request.hops, hopOf(request.url, outcome)];
  if (next.type === "refused") return ports.respond(responseWithoutAnswer({ ...request, hops }, next));
  if (next.type === "follow") {
    const { url, cookies } = next;
    return ports.enqueue({ ...withMethod(request, next.method), url, hops, cookies });
  }
  const answered =
    outcome.status === 304 && earlier !== undefined
      ? notModifiedOutcome(request, outcome, earlier)
      : {
          ...answeredOutcome(request, outcome),
          ...(await storeBody(request, outcome, { transport, ports })),
        };
  return ports.respond({ request: withoutChain(request), outcome: answered });
}

/** The request with the method of the next hop. After a change from POST, the body and its headers are dropped. */
function withMethod(request: OutboundRequest, method: Method): OutboundRequest {
  if (method === methodOf(request)) return request;
  const { body: _none, headers = {}, ...rest } = request;
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith("content-"));
  return {
    ...rest,
    method: method === "HEAD" ? "HEAD" : "GET",
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
  };
}

/** The response to a request whose chain ends without an answer. */
export function responseWithoutAnswer(
  request: OutboundRequest,
  outcome: Exclude<ResponseOutcome, { type: "answered" }>,
): InboundResponse {
  const { hops } = request;
  return { request: withoutChain(request), outcome: { ...outcome, ...(hops.length > 0 && { hops }) } };
}

/**
 * The response that stores a captured answer which is not the last one to its request; undefined when nothing was
 * captured.
 * @param given.url that answered, when it is not the request's
 * @param given.attempts so far
 */
export function interimResponse(
  request: OutboundRequest,
  outcome: ExchangeOutcome,
  { url = request.url, attempts = 1 }: { url?: string | undefined; attempts?: number | undefined },
): InboundResponse | undefined {
  if (outcome.type === "refused" || outcome.stored?.capture === undefined) return undefined;
  if (outcome.type === "failed") {
    return responseWithoutAnswer(request, { ...failedOutcome(outcome, { url, attempts }), isInterim: true });
  }
  const { key: bodyKey, ...stored } = outcome.stored;
  const answered = answeredOutcome({ ...request, url }, outcome);
  return { request: withoutChain(request), outcome: { ...answered, bodyKey, stored, isInterim: true } };
}

/**
 * The request as its reader gets it. The outcome has the hops: twice ten long URLs would not fit into a message.
 * Cookies stay with the gate.
 */
function withoutChain(request: OutboundRequest): OutboundRequest {
  return { ...request, hops: [], cookies: [] };
}

/** A failure with what a capture has stored of it. */
function failedOutcome(
  { reason, detail, stored: object, elapsedMs }: Failure,
  { url, attempts }: { url: string; attempts: number },
): Extract<ResponseOutcome, { type: "failed" }> {
  const failed = { type: "failed" as const, reason, detail, attempts };
  if (object === undefined) return failed;
  const { key: bodyKey, ...stored } = object;
  return { ...failed, captured: { url, bodyKey, stored, elapsedMs } };
}

type Answered = Extract<ResponseOutcome, { type: "answered" }>;

function answeredOutcome(request: OutboundRequest, answer: Omit<Answer, "body">): Answered {
  const { status, headers, bodyProblem, transport, elapsedMs } = answer;
  const { url } = request;
  return {
    type: "answered",
    status,
    url,
    hops: [...request.hops, hopOf(url, answer)],
    headers: readerHeaders(headers),
    ...(bodyProblem && { bodyProblem }),
    ...(transport && { transport }),
    elapsedMs,
  };
}

/** The headers of a response, names and values together: all that a host sends may take 64 KiB. */
const maxHeaderBytes = 8 * 1024;

/** The headers to keep first when a response has too many. */
const firstHeaders = ["content-type", "content-language", "last-modified", "link"];

/** The headers that a reader gets: all that fit, without cookies. */
function readerHeaders(headers: Record<string, string>): Record<string, string> {
  const kept: Record<string, string> = {};
  let left = maxHeaderBytes;
  for (const name of new Set([...firstHeaders, ...Object.keys(headers)])) {
    const value = headers[name];
    if (value === undefined || name === "set-cookie") continue;
    const size = Buffer.byteLength(name) + Buffer.byteLength(value);
    if (size > left) continue;
    kept[name] = value;
    left -= size;
  }
  return kept;
}

/**
 * The earlier response, which still holds. Status and hops are those of that response: readers need to know about the
 * page, not about our cache.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-304-not-modified
 */
function notModifiedOutcome(
  request: OutboundRequest,
  { headers: fresh, elapsedMs }: Answer,
  { bodyKey, contentType }: CachedAnswer,
): Answered {
  const headers = contentType === undefined ? fresh : { ...fresh, "content-type": contentType };
  return {
    ...answeredOutcome(request, { type: "answered", status: 200, headers, elapsedMs }),
    bodyKey,
    notModified: true,
  };
}

/** Stores the body of a response, and remembers its validators for the next conditional request. */
async function storeBody(
  request: OutboundRequest,
  answer: Answer,
  { transport, ports }: Pick<DispatchContext, "transport" | "ports">,
): Promise<Pick<Answered, "bodyKey" | "stored">> {
  if (answer.stored !== undefined) {
    const { key: bodyKey, ...stored } = answer.stored;
    return { bodyKey, stored };
  }
  if (applyBodyPolicy(request.bodyPolicy, answer) === "discard" || answer.body.byteLength === 0) return {};
  const body = [exchangeId(request), answer.body, answer.headers["content-type"]] as const;
  if (transport !== undefined) {
    const bodyKey = await ports.storeBody(...body);
    await transport.onStored(request, answer, bodyKey);
    return { bodyKey };
  }
  const key = validatorsKey(request);
  const known = key === undefined ? undefined : cachedAnswerOf(answer, ports.clock.now());
  if (key === undefined || known === undefined) return { bodyKey: await ports.passBody(...body) };
  const bodyKey = await ports.storeBody(...body);
  await ports.validators?.remember(key, { ...known, bodyKey });
  return { bodyKey };
}

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
  /** The number of exchanges for this request, including the last one. */
  attempts: number;
  /** The earlier response, if the request was conditional. */
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

/**
 * Returns the request with the method of the next hop. When a POST becomes a GET, the body and its headers are dropped.
 */
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

/** Returns the response to a request whose chain ends without a response of a host. */
export function responseWithoutAnswer(
  request: OutboundRequest,
  outcome: Exclude<ResponseOutcome, { type: "answered" }>,
): InboundResponse {
  const { hops } = request;
  return { request: withoutChain(request), outcome: { ...outcome, ...(hops.length > 0 && { hops }) } };
}

/**
 * Returns the message for a captured response that is not the last one of its request.
 * @param given.url the URL that responded, if it differs from the request's URL
 * @param given.attempts the attempts so far
 * @returns undefined when nothing was captured
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
 * Returns the request as its reader receives it. The hops are omitted, because the outcome has them too and a message
 * cannot hold two lists of twenty long URLs. The cookies stay with the gate.
 */
function withoutChain(request: OutboundRequest): OutboundRequest {
  return { ...request, hops: [], cookies: [] };
}

/** Returns a failure, with the bytes that a capture has stored. */
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

/** The size limit of the headers that a reader receives, names and values together. A host may send up to 256 KiB. */
const maxHeaderBytes = 8 * 1024;

/** The headers that are kept first when a response has too many. */
const firstHeaders = ["content-type", "content-language", "last-modified", "link"];

/** Returns the headers that a reader receives: as many as fit, without cookies. */
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
 * Returns the earlier response after a 304. Status and hops are those of the earlier response, because readers need to
 * know about the page, not about the gate's cache.
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

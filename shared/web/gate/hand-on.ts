import type { AddressPolicy } from "../address/admit-url.ts";
import { type Validators, validatorsKey, validatorsOf } from "../chain/conditional.ts";
import { followRedirect } from "../chain/redirects.ts";
import type { Answer, ExchangeOutcome } from "../exchange/exchange.ts";
import type { GatePorts } from "./gate.ts";
import { exchangeId, type OutboundRequest } from "./request.ts";
import type { InboundResponse, ResponseOutcome } from "./response.ts";
import { wantedBody } from "./wanted-body.ts";

interface Circumstances {
  /** How often the host was asked. */
  attempts: number;
  /** What the request was conditional on. */
  earlier: Validators | undefined;
  ports: GatePorts;
  addresses: AddressPolicy;
}

/** Hands an outcome on: to the reader of its kind, or, when it is a redirect, to the line of the next host. */
export async function handOn(
  request: OutboundRequest,
  outcome: ExchangeOutcome,
  circumstances: Circumstances,
): Promise<void> {
  const { attempts, earlier, ports, addresses } = circumstances;
  if (outcome.type === "refused") return ports.respond(endOf(request, outcome));
  if (outcome.type === "failed") {
    const { reason, detail } = outcome;
    return ports.respond(endOf(request, { type: "failed", reason, detail, attempts }));
  }
  const next = outcome.translated
    ? { type: "final" as const }
    : followRedirect(request, outcome, { addresses, now: ports.clock.now() });
  const hops = [...request.hops, { url: request.url, status: outcome.status }];
  if (next.type === "refused") return ports.respond(endOf({ ...request, hops }, next));
  if (next.type === "follow") {
    return ports.request({ ...request, url: next.url, hops, cookies: next.cookies });
  }
  const answered =
    outcome.status === 304 && earlier !== undefined
      ? unchanged(request, outcome, earlier)
      : { ...plain(request, outcome), ...(await keep(request, outcome, ports)) };
  return ports.respond({ request: withoutTrail(request), outcome: answered });
}

/** The response to a request whose chain ends without an answer that can be used. */
export function endOf(
  request: OutboundRequest,
  outcome: Exclude<ResponseOutcome, { type: "answered" }>,
): InboundResponse {
  const { hops } = request;
  return { request: withoutTrail(request), outcome: { ...outcome, ...(hops.length > 0 && { hops }) } };
}

/**
 * The request as its reader gets it. Where it came through stands in the outcome; cookies are nobody's business, and ten
 * hops of long URLs twice would not fit into a message.
 */
function withoutTrail(request: OutboundRequest): OutboundRequest {
  return { ...request, hops: [], cookies: [] };
}

type Answered = Extract<ResponseOutcome, { type: "answered" }>;

function plain(request: OutboundRequest, answer: Omit<Answer, "body">): Answered {
  const { status, headers, bodyProblem, translated, leftOut, elapsedMs } = answer;
  const { url } = request;
  return {
    type: "answered",
    status,
    url,
    hops: [...request.hops, { url, status }],
    headers: toldHeaders(headers),
    ...(bodyProblem && { bodyProblem }),
    ...(translated && { translated }),
    ...(leftOut && { leftOut }),
    elapsedMs,
  };
}

/** The headers that a reader may want; all of them may take 64 KiB, and hold cookies. */
function toldHeaders(headers: Record<string, string>): Record<string, string> {
  const told = ["content-type", "content-language", "last-modified", "link"];
  return Object.fromEntries(
    told.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}

/**
 * The earlier answer, which still holds. Status and hops are those of that answer: whoever reads them wants to know of
 * the page, not of our cache.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-304-not-modified
 */
function unchanged(
  request: OutboundRequest,
  { headers: fresh, elapsedMs }: Answer,
  { bodyKey, contentType }: Validators,
): Answered {
  const headers = contentType === undefined ? fresh : { ...fresh, "content-type": contentType };
  return {
    ...plain(request, { type: "answered", status: 200, headers, elapsedMs }),
    bodyKey,
    notModified: true,
  };
}

/** Keeps the body of an answer, and what the host will know it by the next time. */
async function keep(
  request: OutboundRequest,
  answer: Answer,
  ports: GatePorts,
): Promise<{ bodyKey?: string }> {
  if (wantedBody(request.keepBody, answer) === "discard" || answer.body.byteLength === 0) return {};
  const bodyKey = await ports.keepBody(exchangeId(request), answer.body, answer.headers["content-type"]);
  if (answer.translated !== undefined) {
    if (answer.translated === "choices") await ports.translator?.remember(request, answer.body, bodyKey);
    return { bodyKey };
  }
  const key = validatorsKey(request);
  const known = key === undefined ? undefined : validatorsOf(answer, bodyKey, ports.clock.now());
  if (key !== undefined && known !== undefined) await ports.validators?.remember(key, known);
  return { bodyKey };
}

import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../core/clock.ts";
import { digest } from "../core/digest.ts";
import { InputError } from "../core/errors.ts";
import { refuse } from "./answer.ts";
import type { Subject } from "./route.ts";

/** The response that was sent to a request. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request with an `Idempotency-Key`. It is in progress until it has a response. */
export interface KeyedRequest {
  /** A digest of the caller and the key. */
  key: string;
  /** A digest of the method, the path and the body. */
  fingerprint: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  answer?: KeptAnswer;
}

/** Keeps requests with an `Idempotency-Key` for a day. */
export interface KeyedRequestStore {
  /**
   * Stores a request, unless a request with its key is already stored. A stored request counts if it began after
   * `staleBefore` or has a response.
   * @returns the request that was stored already
   */
  begin(request: KeyedRequest, staleBefore: string): Promise<KeyedRequest | undefined>;
  /**
   * Stores the response to a request, if that request is still the stored one. If the response is too long, the request
   * is deleted instead.
   */
  finish(request: KeyedRequest, answer: KeptAnswer): Promise<void>;
  /** Deletes a failed request, if it is still the stored one, so that it may be repeated. */
  forget(request: KeyedRequest): Promise<void>;
}

interface IdempotencyPorts {
  keyedRequests: KeyedRequestStore;
  clock: Clock;
}

/**
 * Longer than the longest run of any function that responds to requests. A request in progress for a longer time was
 * killed.
 */
const underWayMs = 60_000;
const keptHeaders = ["content-type", "location", "retry-after", "etag"];

/** Returns the subjects in which each `POST` obeys `Idempotency-Key`. */
export function doneOnceByKey<Ports>(
  subjects: readonly Subject<Ports>[],
  ports: IdempotencyPorts,
): Subject<Ports>[] {
  const once = onceByKey(ports);
  return subjects.map((subject) => ({
    ...subject,
    routes: subject.routes.map((route) =>
      route.method === "POST" ? { ...route, middleware: [once, ...(route.middleware ?? [])] } : route,
    ),
  }));
}

/**
 * Performs a `POST` with an `Idempotency-Key` only once. A repeat gets the first response, and a different request with
 * the same key gets 422. Responses from 500 and errors are not kept, so the key becomes free again.
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07
 */
function onceByKey({ keyedRequests, clock }: IdempotencyPorts): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.header("idempotency-key");
    if (given === undefined) return next();
    const request = await keyedRequest(context, given, clock.now());
    const staleBefore = new Date(clock.now().getTime() - underWayMs).toISOString();
    const known = await keyedRequests.begin(request, staleBefore);
    if (known !== undefined) return repeatAnswer(context, { known, request, given });
    try {
      await next();
    } catch (error) {
      // If the key cannot be freed here, it becomes free after a minute.
      await keyedRequests.forget(request).catch(() => undefined);
      throw error;
    }
    if (context.error !== undefined || context.res.status >= 500) return keyedRequests.forget(request);
    await keyedRequests.finish(request, await answerOf(context.res));
  };
}

/** @throws InputError for a key that is empty, too long, or contains other characters than visible ASCII */
async function keyedRequest(context: Context, given: string, now: Date): Promise<KeyedRequest> {
  if (!/^[\x21-\x7e]{1,255}$/.test(given)) {
    throw new InputError("Idempotency-Key", given, "must be 1 to 255 visible ASCII characters");
  }
  const { method, url } = context.req;
  const { pathname, search } = new URL(url);
  return {
    key: digest(callerOf(context), given),
    fingerprint: digest(method, pathname + search, await context.req.text()),
    startedAt: now.toISOString(),
  };
}

function repeatAnswer(
  context: Context,
  { known, request, given }: { known: KeyedRequest; request: KeyedRequest; given: string },
): Response {
  const at = { field: "Idempotency-Key", value: given };
  if (known.fingerprint !== request.fingerprint) {
    return refuse(context, 422, { detail: "the key belongs to another request", ...at });
  }
  if (known.answer === undefined) {
    context.header("Retry-After", "2");
    return refuse(context, 409, { detail: "the request with this key is in progress", ...at });
  }
  const { status, headers, body } = known.answer;
  return new Response(body === "" ? null : body, { status, headers });
}

async function answerOf(response: Response): Promise<KeptAnswer> {
  const headers = keptHeaders.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.clone().text(),
  };
}

interface SignedInEvent {
  requestContext?: { authorizer?: { jwt?: { claims?: { sub?: string } } } };
}

/** Returns the caller, because each caller has separate keys. */
function callerOf(context: Context): string {
  const { event } = (context.env ?? {}) as { event?: SignedInEvent };
  return event?.requestContext?.authorizer?.jwt?.claims?.sub ?? "";
}

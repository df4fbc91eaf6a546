import * as z from "zod";
import { pluralize } from "../../core/pluralize.ts";
import { hop, outboundRequest } from "./request.ts";

/** The refusal reason of requests that are no longer needed. */
export const withdrawn = "withdrawn";

/** The refusal reason of requests whose turn came after their `notAfter`. */
export const tooLate = "too-late";

/**
 * The refusal reason of requests that are in a dead-letter queue. If such a request is redriven, another response
 * follows.
 */
export const deadLettered = "dead-lettered";

/** The refusal reason that replaces a response which its reader could not process. */
export const unprocessed = "unprocessed";

/** The redirects before the last request of the chain; absent when there were none. */
const optionalHops = z.array(hop).optional();

/** See `CaptureFacts`. */
const captureFacts = z.object({
  startedAt: z.iso.datetime(),
  requestHead: z.string(),
  address: z.string().optional(),
  informationalBytes: z.number().int().optional(),
  headBytes: z.number().int(),
  sha1: z.string(),
  payloadBytes: z.number().int(),
  payloadSha1: z.string(),
  truncated: z.enum(["length", "time", "disconnect", "unspecified"]).optional(),
});

/** The place of a streamed or captured body; see `StoredBody`. */
const storedBody = z.object({
  sizeBytes: z.number().int(),
  sha256: z.string().optional(),
  capture: captureFacts.optional(),
});

/**
 * Set for a captured response after which another response to the same request follows. Either the request is repeated,
 * or this is the response for the robots.txt that was fetched first; `url` is then the URL of the robots.txt.
 */
const isInterim = z.literal(true).optional();

/** A captured exchange that precedes the last one of its request. */
const interimExchange = z.object({ url: z.string(), startedAt: z.iso.datetime() });
export type InterimExchange = z.output<typeof interimExchange>;

/** The message of the response queues: a request and its outcome. */
export const inboundResponse = z.object({
  request: outboundRequest,
  /**
   * For captures: the exchanges whose messages (`isInterim`) were sent before this one. The reader may receive those
   * messages later.
   */
  interims: z.array(interimExchange).optional(),
  outcome: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("answered"),
      status: z.number().int(),
      /** The URL that responded, after redirects. */
      url: z.string(),
      /** All URLs of the chain, in order, with their statuses. */
      hops: z.array(hop),
      headers: z.record(z.string(), z.string()),
      /**
       * The key of the stored body, or a `data:` URL. Absent when the body was empty, not needed, or could not be read.
       */
      bodyKey: z.string().optional(),
      /** Set when the body was streamed or captured. */
      stored: storedBody.optional(),
      /** The reason why a needed body could not be read. */
      bodyProblem: z.object({ reason: z.string(), detail: z.string() }).optional(),
      /**
       * Set when the host responded that its earlier response is still valid (304). The outcome is then the earlier
       * response, with status 200.
       */
      notModified: z.literal(true).optional(),
      isInterim,
      /** Set when a transport responded in place of the host: the transport's message to the reader. */
      transport: z.record(z.string(), z.unknown()).optional(),
      elapsedMs: z.number(),
    }),
    z.object({ type: z.literal("refused"), reason: z.string(), detail: z.string(), hops: optionalHops }),
    z.object({
      type: z.literal("failed"),
      reason: z.string(),
      detail: z.string(),
      attempts: z.number().int(),
      hops: optionalHops,
      /** Set for a capture of an incomplete response, or of bytes that are not the head of a response. */
      captured: z
        .object({ url: z.string(), bodyKey: z.string(), stored: storedBody, elapsedMs: z.number() })
        .optional(),
      isInterim,
    }),
  ]),
});
export type InboundResponse = z.output<typeof inboundResponse>;
export type ResponseOutcome = InboundResponse["outcome"];

/** The bytes that a capture has stored of an outcome. */
interface CapturedObject {
  /** The URL that responded. */
  url: string;
  key: string;
  sizeBytes: number;
  facts: z.output<typeof captureFacts>;
  elapsedMs: number;
}

/** @returns undefined when no bytes were received, or the outcome was not captured */
export function capturedObject(outcome: ResponseOutcome): CapturedObject | undefined {
  if (outcome.type === "refused") return undefined;
  const captured = outcome.type === "answered" ? outcome : outcome.captured;
  const { capture: facts, sizeBytes = 0 } = captured?.stored ?? {};
  if (captured?.bodyKey === undefined || facts === undefined) return undefined;
  const { url, bodyKey: key, elapsedMs } = captured;
  return { url, key, sizeBytes, facts, elapsedMs };
}

/**
 * Returns a refusal that replaces a response which its reader could not process. The request then ends with this
 * reason.
 */
export function withoutResponse(response: InboundResponse, detail: string): InboundResponse {
  return { ...response, outcome: { type: "refused", reason: unprocessed, detail } };
}

/** Decides whether a request got its page, feed or file. */
export function isUsableAnswer(
  outcome: ResponseOutcome,
): outcome is Extract<ResponseOutcome, { type: "answered" }> {
  return outcome.type === "answered" && outcome.status === 200 && outcome.bodyProblem === undefined;
}

/** Describes an outcome without a usable response as a sentence for a mail. */
export function describeUnusableOutcome(outcome: ResponseOutcome): string {
  switch (outcome.type) {
    case "answered":
      if (outcome.bodyProblem === undefined) return `${outcome.url} answered ${outcome.status}`;
      return `${outcome.url} answered ${outcome.status}, but its body could not be read (${outcome.bodyProblem.reason}): ${outcome.bodyProblem.detail}`;
    case "refused":
      if (outcome.reason === unprocessed) return `its response could not be processed: ${outcome.detail}`;
      return `not fetched (${outcome.reason}): ${outcome.detail}`;
    case "failed":
      if (outcome.attempts === 0) return `not requested (${outcome.reason}): ${outcome.detail}`;
      return `no answer (${outcome.reason}) after ${pluralize(outcome.attempts, "attempt")}: ${outcome.detail}`;
  }
}

import * as z from "zod";
import { pluralize } from "../../core/pluralize.ts";
import { hop, outboundRequest } from "./request.ts";

/** The reason of refusals of requests that are no longer needed. */
export const withdrawn = "withdrawn";

/** The reason of refusals of requests whose turn came after their `notAfter`. */
export const tooLate = "too-late";

/** The reason of refusals of requests that are in a dead-letter queue. Another response follows if that is redriven. */
export const deadLettered = "dead-lettered";

/** The reason of refusals that take the place of a response that its reader could not process. */
export const unprocessed = "unprocessed";

/** The redirects before the end of the chain; absent when there were none. */
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

/** Where a body is that was streamed or captured; see `StoredBody`. */
const storedBody = z.object({
  sizeBytes: z.number().int(),
  sha256: z.string().optional(),
  capture: captureFacts.optional(),
});

/**
 * Set of captures when another response to the request follows: the request is repeated, or this is the robots.txt that
 * was read before it, whose `url` it has.
 */
const isInterim = z.literal(true).optional();

/** A captured exchange that came before the last one for its request. */
const interimExchange = z.object({ url: z.string(), startedAt: z.iso.datetime() });
export type InterimExchange = z.output<typeof interimExchange>;

/** The message of the response queues: a request and its outcome. */
export const inboundResponse = z.object({
  request: outboundRequest,
  /** For captures, the exchanges whose messages (`isInterim`) were sent before this one, and may be read after it. */
  interims: z.array(interimExchange).optional(),
  outcome: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("answered"),
      status: z.number().int(),
      /** The URL that answered, after redirects. */
      url: z.string(),
      /** Every URL of the chain, first to last, with its status. */
      hops: z.array(hop),
      headers: z.record(z.string(), z.string()),
      /** Where the body is stored, or a `data:` URL; absent when it was empty, not wanted, or could not be read. */
      bodyKey: z.string().optional(),
      /** Set when the body was streamed or captured. */
      stored: storedBody.optional(),
      /** Why the body, which was wanted, could not be read. */
      bodyProblem: z.object({ reason: z.string(), detail: z.string() }).optional(),
      /**
       * Set when the host said that its earlier response still holds (304): this is that response, status 200 and all.
       */
      notModified: z.literal(true).optional(),
      isInterim,
      /** Set when a transport answered in the host's place: its message to the reader. */
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
      /** Set of captures when something has come that is not the head of a response, or not all of it. */
      captured: z
        .object({ url: z.string(), bodyKey: z.string(), stored: storedBody, elapsedMs: z.number() })
        .optional(),
      isInterim,
    }),
  ]),
});
export type InboundResponse = z.output<typeof inboundResponse>;
export type ResponseOutcome = InboundResponse["outcome"];

/** What a capture has stored of an outcome. */
interface CapturedObject {
  /** The URL that answered. */
  url: string;
  key: string;
  sizeBytes: number;
  facts: z.output<typeof captureFacts>;
  elapsedMs: number;
}

/** @returns undefined when nothing has come, or it was not captured */
export function capturedObject(outcome: ResponseOutcome): CapturedObject | undefined {
  if (outcome.type === "refused") return undefined;
  const captured = outcome.type === "answered" ? outcome : outcome.captured;
  const { capture: facts, sizeBytes = 0 } = captured?.stored ?? {};
  if (captured?.bodyKey === undefined || facts === undefined) return undefined;
  const { url, bodyKey: key, elapsedMs } = captured;
  return { url, key, sizeBytes, facts, elapsedMs };
}

/** The request without its response, which its reader could not process: so it ends with the reason. */
export function withoutResponse(response: InboundResponse, detail: string): InboundResponse {
  return { ...response, outcome: { type: "refused", reason: unprocessed, detail } };
}

/** Whether a request got its page, feed or file. */
export function isUsableAnswer(
  outcome: ResponseOutcome,
): outcome is Extract<ResponseOutcome, { type: "answered" }> {
  return outcome.type === "answered" && outcome.status === 200 && outcome.bodyProblem === undefined;
}

/** Describes an outcome without a usable answer, as a sentence for a mail. */
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

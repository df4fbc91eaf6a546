import { z } from "zod";
import { pluralize } from "../../core/pluralize.ts";
import { hop, outboundRequest } from "./request.ts";

/** The reason for which the gate refuses what is not wanted any more. */
export const withdrawn = "withdrawn";

/** The answers on the way to where it ended; absent when there were none. */
const optionalHops = z.array(hop).optional();

/** The message of the response queues: what became of a request. */
export const inboundResponse = z.object({
  request: outboundRequest,
  outcome: z.discriminatedUnion("type", [
    z.object({
      type: z.literal("answered"),
      status: z.number().int(),
      /** The URL that answered, after redirects. */
      url: z.string(),
      /** Every URL asked, first to last, with its status. */
      hops: z.array(hop),
      headers: z.record(z.string(), z.string()),
      /** Where the body is kept; absent when it was empty, or could not be had. */
      bodyKey: z.string().optional(),
      /** Set when the body went to the store as a stream, or as a capture; see `StoredBody`. */
      stored: z
        .object({
          sizeBytes: z.number().int(),
          sha256: z.string(),
          headBytes: z.number().int().optional(),
        })
        .optional(),
      /** Why the body, though it was wanted, could not be had. */
      bodyProblem: z.object({ reason: z.string(), detail: z.string() }).optional(),
      /** Set when the host said that its earlier answer still holds (304): this is that answer, status 200 and all. */
      notModified: z.literal(true).optional(),
      /** Set when a transport answered in the host's place: what it has to say to the reader. */
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
    }),
  ]),
});
export type InboundResponse = z.output<typeof inboundResponse>;
export type ResponseOutcome = InboundResponse["outcome"];

/** Whether a request got what it was made for: a page, a feed, a file. */
export function isUsableAnswer(
  outcome: ResponseOutcome,
): outcome is Extract<ResponseOutcome, { type: "answered" }> {
  return outcome.type === "answered" && outcome.status === 200 && outcome.bodyProblem === undefined;
}

/** What became of a request that got no usable answer, as a sentence for a mail. */
export function describeUnusableOutcome(outcome: ResponseOutcome): string {
  switch (outcome.type) {
    case "answered":
      if (outcome.bodyProblem === undefined) return `${outcome.url} answered ${outcome.status}`;
      return `${outcome.url} answered ${outcome.status}, but its body could not be had (${outcome.bodyProblem.reason}): ${outcome.bodyProblem.detail}`;
    case "refused":
      return `not fetched (${outcome.reason}): ${outcome.detail}`;
    case "failed":
      if (outcome.attempts === 0) return `not asked (${outcome.reason}): ${outcome.detail}`;
      return `no answer (${outcome.reason}) after ${pluralize(outcome.attempts, "attempt")}: ${outcome.detail}`;
  }
}

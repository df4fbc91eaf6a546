import { z } from "zod";
import { withoutCredentials } from "../../core/url-credentials.ts";
import { userAgentText } from "../../core/user-agent.ts";

/** What an answer is wanted for. Each kind has a queue of responses and a function that reads it. */
export const requestKinds = ["feed", "page", "article", "authority", "link", "rule-test"] as const;
export type RequestKind = (typeof requestKinds)[number];

const hop = z.object({ url: z.string(), status: z.number().int() });

/** One URL that somebody wants from a host: the message of `requests.fifo`. */
export const outboundRequest = z.object({
  /** The same for the same wish: a repeated message is recognised by it. */
  id: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _"),
  kind: z.enum(requestKinds),
  url: z.string().min(1).max(8192).overwrite(withoutCredentials),
  /** The delay that the source or rule asks for after this request, instead of the default. */
  throttleMs: z.number().int().min(0).max(3_600_000).optional(),
  userAgent: userAgentText.optional(),
  /** Whether a Disallow in the host's robots.txt is obeyed. Its Crawl-delay always is. */
  obeyRobots: z.boolean().default(true),
  /** When nobody wants the answer any more, ISO 8601: a request that has waited for longer is not asked. */
  notAfter: z.iso.datetime().optional(),
  /** What the translation server is asked for instead of the page at `url`; see `translator.ts`. */
  translation: z
    .object({
      /** What it is to search for, on behalf of the host. */
      search: z.string().min(1).max(200).optional(),
      /** Of the choices that it has offered those to take: the key of the object that is posted back. */
      choicesKey: z.string().optional(),
      /** Offered choices go to the reader; otherwise all are taken at once. */
      tellsChoices: z.boolean().optional(),
    })
    .optional(),
  /** Whether the answer's body is wanted; where it is not, it is neither read nor kept. */
  keepBody: z.boolean().default(true),
  /** The redirects behind us, first to last. */
  hops: z.array(hop).default([]),
  /** The jar of this chain (see `cookies.ts`). */
  cookies: z.array(z.string()).default([]),
  /** Handed through to the reader untouched. */
  context: z.record(z.string(), z.unknown()).default({}),
});
export type OutboundRequest = z.output<typeof outboundRequest>;
export type NewRequest = z.input<typeof outboundRequest>;

/** The id of one exchange of a chain: what deduplication and object keys go by. */
export function exchangeId(request: { id: string; hops?: unknown[] | undefined }): string {
  return `${request.id}-${request.hops?.length ?? 0}`;
}

/** The reason for which the gate refuses what is not wanted any more. */
export const withdrawn = "withdrawn";

/** The answers on the way to where it ended; absent when there were none. */
const trail = z.array(hop).optional();

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
      /** Why the body, though it was wanted, could not be had. */
      bodyProblem: z.object({ reason: z.string(), detail: z.string() }).optional(),
      /** Set when the host said that its earlier answer still holds (304): this is that answer, status 200 and all. */
      notModified: z.literal(true).optional(),
      /** Set when the translation server answered: for the page, with the choices taken of it, or with another page's choices. */
      translated: z.enum(["page", "choices", "cached"]).optional(),
      /** Of the choices that were to be taken those that were not asked for, with the reason. */
      leftOut: z.array(z.object({ entry: z.string(), reason: z.string() })).optional(),
      elapsedMs: z.number(),
    }),
    z.object({ type: z.literal("refused"), reason: z.string(), detail: z.string(), hops: trail }),
    z.object({
      type: z.literal("failed"),
      reason: z.string(),
      detail: z.string(),
      attempts: z.number().int(),
      hops: trail,
    }),
  ]),
});
export type InboundResponse = z.output<typeof inboundResponse>;
export type ResponseOutcome = InboundResponse["outcome"];

/** Whether a request got what it was made for: a page, a feed, a file. */
export function isFound(outcome: ResponseOutcome): outcome is Extract<ResponseOutcome, { type: "answered" }> {
  return outcome.type === "answered" && outcome.status === 200 && outcome.bodyProblem === undefined;
}

/** What became of a request that got no usable answer, as a sentence for a mail. */
export function describeMiss(outcome: ResponseOutcome): string {
  switch (outcome.type) {
    case "answered":
      if (outcome.bodyProblem === undefined) return `${outcome.url} answered ${outcome.status}`;
      return `${outcome.url} answered ${outcome.status}, but its body could not be had (${outcome.bodyProblem.reason}): ${outcome.bodyProblem.detail}`;
    case "refused":
      return `not fetched (${outcome.reason}): ${outcome.detail}`;
    case "failed":
      if (outcome.attempts === 0) return `not asked (${outcome.reason}): ${outcome.detail}`;
      return `no answer (${outcome.reason}) after ${outcome.attempts} ${outcome.attempts === 1 ? "attempt" : "attempts"}: ${outcome.detail}`;
  }
}

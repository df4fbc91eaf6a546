import * as z from "zod";
import { withoutCredentials } from "../../core/url-credentials.ts";
import { userAgentSchema } from "../../core/user-agent.ts";
import { bodyPolicy } from "./body-policy.ts";
import { kindPolicy, requestKinds } from "./kinds.ts";
import { requestBody, requestHeaderFields, streamHeaders } from "./request-content.ts";

/** The largest number of characters of a URL that is requested. */
export const maxUrlLength = 8192;

/** The longest delay that a source or rule may set. */
export const maxThrottleMs = 3_600_000;

/** One response of a chain of redirects. */
export const hop = z.object({
  url: z.string(),
  status: z.number().int(),
  /** The rules of HTTP that a response breaks, if it was read tolerantly. */
  warning: z.string().optional(),
});

/** One request to a host: the message of `requests.fifo`. Defaults are in the kind's entry in `kinds.ts`. */
export const outboundRequest = z
  .object({
    /** Equal for the same request, so that a repeated message is recognised. */
    id: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _"),
    kind: z.enum(requestKinds),
    url: z.string().min(1).max(maxUrlLength).overwrite(withoutCredentials),
    /** POST is only for queries, because a request is retried after errors, whatever its method. */
    method: z.enum(["GET", "HEAD", "POST"]).optional(),
    /** Headers in addition to those of the gate. Names are in lower case. */
    headers: requestHeaderFields.optional(),
    /** The body of a POST, as text. */
    body: requestBody.optional(),
    /** The delay after this request, if the source or rule sets one instead of the default. */
    throttleMs: z.number().int().min(0).max(maxThrottleMs).optional(),
    userAgent: userAgentSchema.optional(),
    /** Whether a Disallow in the host's robots.txt is obeyed. Its Crawl-delay is always obeyed. */
    obeyRobots: z.boolean().optional(),
    /** ISO 8601. A request whose turn comes later is refused as `too-late`. */
    notAfter: z.iso.datetime().optional(),
    /** Options of the transport that makes the request, if there is a transport; see `transport.ts`. */
    transport: z.record(z.string(), z.unknown()).optional(),
    bodyPolicy: bodyPolicy.optional(),
    /** The redirects so far, in order. */
    hops: z.array(hop).default([]),
    /** The cookies of this chain (see `cookie-jar.ts`). */
    cookies: z.array(z.string()).default([]),
    /** Passed to the reader unchanged. */
    context: z.record(z.string(), z.unknown()).default({}),
  })
  .refine(({ body, method, kind }) => body === undefined || (method ?? kindPolicy(kind).method) === "POST", {
    path: ["body"],
    error: "only a POST may have a body",
  })
  .refine(
    ({ headers = {}, bodyPolicy: policy }) =>
      typeof policy === "object" || streamHeaders.every((name) => headers[name] === undefined),
    { path: ["headers"], error: `only a streamed body may have ${streamHeaders.join(", ")}` },
  )
  .transform((request) => ({
    ...request,
    obeyRobots: request.obeyRobots ?? kindPolicy(request.kind).obeyRobots,
    bodyPolicy: request.bodyPolicy ?? kindPolicy(request.kind).bodyPolicy,
  }));
export type OutboundRequest = z.output<typeof outboundRequest>;
export type NewRequest = z.input<typeof outboundRequest>;

/** Returns the method of a request. */
export function methodOf({
  kind,
  method,
}: Pick<OutboundRequest, "kind" | "method">): "GET" | "HEAD" | "POST" {
  return method ?? kindPolicy(kind).method;
}

/** Returns the id of one exchange of a chain. Messages are deduplicated, and objects named, by this id. */
export function exchangeId(request: { id: string; hops?: unknown[] | undefined }): string {
  return `${request.id}-${request.hops?.length ?? 0}`;
}

export interface RequestQueue {
  send(requests: NewRequest[]): Promise<void>;
}

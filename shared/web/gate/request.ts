import { z } from "zod";
import { withoutCredentials } from "../../core/url-credentials.ts";
import { userAgentSchema } from "../../core/user-agent.ts";
import { bodyPolicy } from "./body-policy.ts";
import { requestKinds } from "./kinds.ts";

/** One answer of a chain of redirects. */
export const hop = z.object({ url: z.string(), status: z.number().int() });

/** One URL that somebody wants from a host: the message of `requests.fifo`. */
export const outboundRequest = z.object({
  /** The same for the same wish: a repeated message is recognised by it. */
  id: z.string().regex(/^[\w-]{1,64}$/, "must be 1 to 64 letters, digits, - or _"),
  kind: z.enum(requestKinds),
  url: z.string().min(1).max(8192).overwrite(withoutCredentials),
  /** The delay that the source or rule asks for after this request, instead of the default. */
  throttleMs: z.number().int().min(0).max(3_600_000).optional(),
  userAgent: userAgentSchema.optional(),
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
      /** The page may be a list: offered choices go to the reader; otherwise all are taken at once. */
      returnsChoices: z.boolean().optional(),
    })
    .optional(),
  /** Which answers the body is wanted of. */
  bodyPolicy: bodyPolicy.default(true),
  /** The redirects behind us, first to last. */
  hops: z.array(hop).default([]),
  /** The jar of this chain (see `cookie-jar.ts`). */
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

export interface RequestQueue {
  send(requests: NewRequest[]): Promise<void>;
}

import * as z from "zod";
import { markupOf } from "../encoding/markup.ts";
import type { AnswerHead } from "../exchange/exchange.ts";
import { isRedirect } from "../exchange/redirect-status.ts";

/** S3 takes objects of up to 5 TiB; an upload in parts of 8 MiB ends at 78 GiB. */
const maxStreamedBytes = 64 * 1024 ** 3;

/**
 * Which bodies a request wants; what is not wanted is neither waited for nor kept.
 * - `keep`, `discard`: all, none
 * - `markup`: HTML and XML, whatever the status
 * - `markup-if-inconclusive`: those of them whose status leaves open whether the link is alive
 * - `stream`: all, decompressed, from the socket to the store without standing in memory
 * - `capture`: the status line, the headers and the body as they were sent, in one object, as far as they came. A
 * capture is
 *   never requested conditionally, and the reader gets a redirect as an answer
 */
export const bodyPolicy = z.union([
  z.enum(["keep", "discard", "markup", "markup-if-inconclusive"]),
  z.object({
    type: z.enum(["stream", "capture"]),
    /**
     * The size of the body as it is stored. A larger one is a body problem; it leaves no object, and of a capture its
     * beginning.
     */
    maxBytes: z.number().int().min(1).max(maxStreamedBytes),
    /** What has come of an interrupted body is stored, beside the body problem; see `StoreMode`. */
    keepIncomplete: z.literal(true).optional(),
  }),
]);
export type BodyPolicy = z.output<typeof bodyPolicy>;
export type StreamPolicy = Extract<BodyPolicy, object>;

/** Decides by its head whether an answer's body is wanted. Captures are of responses, whatever these say. */
export function applyBodyPolicy<Policy extends BodyPolicy>(
  policy: Policy,
  { status, headers }: AnswerHead,
): "keep" | "discard" | Extract<Policy, StreamPolicy> {
  if (policy === "discard" || isRedirect(status)) return "discard";
  if (isStreamPolicy(policy)) return policy;
  if (policy === "keep") return "keep";
  const isDocument = markupOf(headers["content-type"]) !== undefined;
  const isDecided =
    policy === "markup-if-inconclusive" && (isGone(status) || isThrottledOrServerError(status));
  return isDocument && !isDecided ? "keep" : "discard";
}

export function isCapture(policy: BodyPolicy): policy is StreamPolicy {
  return typeof policy === "object" && policy.type === "capture";
}

function isStreamPolicy<Policy extends BodyPolicy>(policy: Policy): policy is Extract<Policy, StreamPolicy> {
  return typeof policy === "object";
}

/** Whether a page is gone, whatever it says. @see https://www.rfc-editor.org/rfc/rfc9110#name-410-gone */
export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * What a server says about itself, and nothing of the page. Statuses from 600 on, such as LinkedIn's 999 for machines,
 * are about the client.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-server-error-5xx
 */
export function isThrottledOrServerError(status: number): boolean {
  return status === 429 || (status >= 500 && status < 600);
}

import * as z from "zod";
import { markupOf } from "../encoding/markup.ts";
import type { AnswerHead, PeekMode } from "../exchange/exchange.ts";
import { isRedirect } from "../exchange/redirect-status.ts";

/** The size of the beginning of a page. It has the title, and the whole of most error pages. */
const startBytes = 16 * 1024;

/** S3 takes objects of up to 5 TiB; an upload in parts of 8 MiB ends at 78 GiB. */
const maxStreamedBytes = 64 * 1024 ** 3;

/**
 * The bodies that a request needs. The gate neither waits for other bodies nor keeps them.
 * - `keep`, `discard`: all bodies, no bodies
 * - `markup`: HTML and XML, with any status
 * - `markup-if-inconclusive`: HTML and XML, if the status does not show whether the link is alive
 * - `markup-start`: the first 16 KiB of HTML and XML, unless the host fails or limits our requests
 * - `stream`: all bodies, decompressed, passed from the socket to the store without being held in memory
 * - `capture`: the status line, the headers and the body as they were sent, in one object, even if incomplete. A
 *   capture is never requested conditionally, and its reader receives redirects as responses
 */
export const bodyPolicy = z.union([
  z.enum(["keep", "discard", "markup", "markup-if-inconclusive", "markup-start"]),
  z.object({
    type: z.enum(["stream", "capture"]),
    /**
     * The largest size of the body as it is stored. A larger body is a body problem. It leaves no object, but a capture
     * leaves an object with the beginning of the response.
     */
    maxBytes: z.number().int().min(1).max(maxStreamedBytes),
    /** Stores the received part of an interrupted body, in addition to the body problem; see `StoreMode`. */
    keepIncomplete: z.literal(true).optional(),
  }),
]);
export type BodyPolicy = z.output<typeof bodyPolicy>;
export type StreamPolicy = Extract<BodyPolicy, object>;

/**
 * Decides by the head of a response whether its body is needed. All responses are captured, whatever their heads say.
 */
export function applyBodyPolicy<Policy extends BodyPolicy>(
  policy: Policy,
  { status, headers }: AnswerHead,
): "keep" | "discard" | PeekMode | Extract<Policy, StreamPolicy> {
  if (policy === "discard" || isRedirect(status)) return "discard";
  if (isStreamPolicy(policy)) return policy;
  if (policy === "keep") return "keep";
  const isDocument = markupOf(headers["content-type"]) !== undefined;
  if (policy === "markup-start")
    return isDocument && !isThrottledOrServerError(status) ? { peekBytes: startBytes } : "discard";
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

/** Decides whether a page is gone, whatever its body says. @see https://www.rfc-editor.org/rfc/rfc9110#name-410-gone */
export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * Decides whether a status describes the server or the client, rather than the page. Statuses from 600, such as
 * LinkedIn's 999 for machines, describe the client.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-server-error-5xx
 */
export function isThrottledOrServerError(status: number): boolean {
  return status === 429 || (status >= 500 && status < 600);
}

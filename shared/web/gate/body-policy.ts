import { z } from "zod";
import { isRedirect } from "../chain/redirects.ts";
import { markupOf } from "../encoding/markup.ts";
import type { AnswerHead } from "../exchange/exchange.ts";

/**
 * Which bodies a request wants; what is not wanted is neither waited for nor kept.
 * - `true`, `false`: all, none
 * - `markup`: HTML and XML, whatever the status
 * - `markup-if-inconclusive`: those of them whose status leaves open whether the link is alive
 */
export const bodyPolicy = z.union([z.boolean(), z.enum(["markup", "markup-if-inconclusive"])]);
export type BodyPolicy = z.output<typeof bodyPolicy>;

/** Decides by its head whether an answer's body is wanted. Where an answer leads to another one, its body is for nobody. */
export function applyBodyPolicy(policy: BodyPolicy, { status, headers }: AnswerHead): "keep" | "discard" {
  if (policy === false || isRedirect(status)) return "discard";
  if (policy === true) return "keep";
  const isDocument = markupOf(headers["content-type"]) !== undefined;
  const isDecided =
    policy === "markup-if-inconclusive" && (isGone(status) || isThrottledOrServerError(status));
  return isDocument && !isDecided ? "keep" : "discard";
}

/** Whether a page is gone, whatever it says. @see https://www.rfc-editor.org/rfc/rfc9110#name-410-gone */
export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}

/**
 * What a server says of itself, and nothing of the page. What is no status of HTTP counts as 5xx, such as LinkedIn's 999: it
 * answers no machines.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-15 statuses of 600 and more
 */
export function isThrottledOrServerError(status: number): boolean {
  return status === 429 || status >= 500;
}

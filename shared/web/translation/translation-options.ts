import * as z from "zod";
import type { OutboundRequest } from "../request/request.ts";
import type { ResponseOutcome } from "../request/response.ts";

/** What the translation server does, if it does not translate the page at the request's `url`. */
const translationOptions = z.object({
  /** The ISSN for which the server searches. The request counts as a request to the host of `url`. */
  search: z.string().min(1).max(200).optional(),
  /** The key of the object to post back, which contains the choices to take. */
  choicesKey: z.string().optional(),
  /** Set when the server has no translator for the page, so that the page itself is requested. */
  isUntranslated: z.boolean().optional(),
  /** Whether offered choices are passed to the reader. When absent, all choices are taken immediately. */
  returnsChoices: z.boolean().optional(),
});
type TranslationOptions = z.output<typeof translationOptions>;

/** Returns the options of a request for a translation server. */
export function translationOptionsOf({
  transport,
}: Pick<OutboundRequest, "transport">): TranslationOptions | undefined {
  return transport && translationOptions.parse(transport);
}

/** The result of a translation server. */
const translationResult = z.object({
  /** The source of the items: the page, its choices, or the remembered choices of another page. */
  translated: z.enum(["page", "choices", "cached"]),
  /** The choices that were not posted, each with its reason. */
  skippedChoices: z.array(z.object({ entry: z.string(), reason: z.string() })).optional(),
});
export type TranslationResult = z.output<typeof translationResult>;

/** @returns undefined when the page's host responded */
export function translationResultOf(outcome: ResponseOutcome): TranslationResult | undefined {
  if (outcome.type !== "answered" || outcome.transport === undefined) return undefined;
  return translationResult.parse(outcome.transport);
}

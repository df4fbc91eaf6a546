import * as z from "zod";
import type { OutboundRequest } from "../request/request.ts";
import type { ResponseOutcome } from "../request/response.ts";

/** What the translation server does instead of translating the page at the request's `url`. */
const translationOptions = z.object({
  /** A search on behalf of the host, by ISSN. */
  search: z.string().min(1).max(200).optional(),
  /** The key of the object to post back: the choices to take. */
  choicesKey: z.string().optional(),
  /** The page itself is requested, not its translation: the server knows no translator for it. */
  isUntranslated: z.boolean().optional(),
  /** Offered choices go to the reader. When absent, all choices are taken at once. */
  returnsChoices: z.boolean().optional(),
});
type TranslationOptions = z.output<typeof translationOptions>;

/** The options of a request for a translation server. */
export function translationOptionsOf({
  transport,
}: Pick<OutboundRequest, "transport">): TranslationOptions | undefined {
  return transport && translationOptions.parse(transport);
}

/** The result of a translation server. */
const translationResult = z.object({
  /** From the page, from its choices, or remembered from the choices of another page. */
  translated: z.enum(["page", "choices", "cached"]),
  /** The choices that were not posted, each with its reason. */
  skippedChoices: z.array(z.object({ entry: z.string(), reason: z.string() })).optional(),
});
export type TranslationResult = z.output<typeof translationResult>;

/** Undefined when the page's host answered. */
export function translationResultOf(outcome: ResponseOutcome): TranslationResult | undefined {
  if (outcome.type !== "answered" || outcome.transport === undefined) return undefined;
  return translationResult.parse(outcome.transport);
}

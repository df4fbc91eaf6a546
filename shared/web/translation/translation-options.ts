import { z } from "zod";
import type { OutboundRequest } from "../gate/request.ts";
import type { ResponseOutcome } from "../gate/response.ts";

/** What the translation server is to do instead of translating the page at the request's `url`. */
const translationOptions = z.object({
  /** A search on behalf of the host, by ISSN. */
  search: z.string().min(1).max(200).optional(),
  /** The key of the object that is posted back: the choices to take of those that it has offered. */
  choicesKey: z.string().optional(),
  /** The page may be a list: offered choices go to the reader. Otherwise all are taken at once. */
  returnsChoices: z.boolean().optional(),
});
type TranslationOptions = z.output<typeof translationOptions>;

/** The options of a request for a translation server. */
export function translationOptionsOf({
  transport,
}: Pick<OutboundRequest, "transport">): TranslationOptions | undefined {
  return transport && translationOptions.parse(transport);
}

/** How a translation server has answered. */
const translationResult = z.object({
  /** For the page, with the choices taken of it, or remembered from the choices of another page. */
  translated: z.enum(["page", "choices", "cached"]),
  /** Of the choices that were to be taken those that were not posted, with the reason. */
  skippedChoices: z.array(z.object({ entry: z.string(), reason: z.string() })).optional(),
});
export type TranslationResult = z.output<typeof translationResult>;

/** Undefined when the page's host answered. */
export function translationResultOf(outcome: ResponseOutcome): TranslationResult | undefined {
  if (outcome.type !== "answered" || outcome.transport === undefined) return undefined;
  return translationResult.parse(outcome.transport);
}

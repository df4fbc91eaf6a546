import * as z from "zod";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { runContext } from "../../records/runs/completion.ts";
import { linkedMetadataContext } from "./linked-metadata-request.ts";

/** The context of an article request, which the readers of listings set. */
export const articleContext = runContext.extend({
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
  /** The number of empty responses of the translation server so far. */
  emptyAnswers: z.number().int().optional(),
  /** Set when the request is for a record that the page links to. */
  linked: linkedMetadataContext.optional(),
  /** The stored response of the translation server, if it has translated the page that is now requested. */
  translation: z.object({ bodyKey: z.string() }).optional(),
});
export type ArticleContext = z.output<typeof articleContext>;

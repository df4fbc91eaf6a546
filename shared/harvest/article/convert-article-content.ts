// Input: the parsed content of an article response. Output: an outcome for each article that the content contains or
// lacks. Called by read-article-response.ts.

import { inParallel } from "../../core/in-parallel.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { DocumentOutcome } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { BodyReader, BodyWriter } from "../../web/gate/bodies.ts";
import { translationOptionsOf, translationResultOf } from "../../web/translation/translation-options.ts";
import { articleId, entryFromUrl } from "../listing/article-requests.ts";
import { emptyListingResult } from "../listing/listing-results.ts";
import type { ArticleContent } from "./article-content.ts";
import {
  type ArticleConversionContext,
  articleBase,
  type ConvertArticlePorts,
  convertArticle,
} from "./convert-article.ts";
import {
  type IdentifiedZoteroItem,
  identifyZoteroItems,
  loadPostedChoices,
} from "./identify-zotero-items.ts";

/** The number of items of a response that are converted at the same time. */
const maxParallelConversions = 16;

export interface ConvertContentPorts extends ConvertArticlePorts {
  runs: Pick<RunStore, "claimRequests" | "saveListingOutcome">;
  bodies: BodyReader & BodyWriter;
}

type Context = Omit<ArticleConversionContext, "warnings">;
type ConvertibleContent = Exclude<
  ArticleContent,
  { type: "choices" | "linked" | "translated" | "untranslated" }
>;
type Items = Extract<ConvertibleContent, { type: "items" }>;

interface ConvertedContent {
  outcomes: DocumentOutcome[];
  /** False while items wait for the authority file. */
  isComplete: boolean;
}

/**
 * Converts all items of a response. Adds an outcome for each article that was requested but is not among the items. If
 * the response contains more or fewer articles than were requested, the source's counts are corrected.
 */
export async function convertArticleContent(
  content: ConvertibleContent,
  context: Context,
  ports: ConvertContentPorts,
): Promise<ConvertedContent> {
  const { request, outcome } = context.response;
  const omissions = translationResultOf(outcome)?.skippedChoices ?? [];
  const omittedOutcomes = omissions.map(
    ({ entry, reason }): DocumentOutcome => ({
      ...articleBase(contextForEntry(entryFromUrl(entry), context)),
      state: "dropped",
      reason,
    }),
  );
  const choices = await loadPostedChoices(request, ports.bodies);
  if (content.type !== "items") {
    const omitted = omissions.map(({ entry }) => entry);
    const missed = describeMissed(content, { ...context, choices, omitted });
    return { outcomes: [...missed, ...omittedOutcomes], isComplete: true };
  }
  const { articles, harvestedUrl, warnings } = content;
  const [only, ...others] = articles;
  // Articles of a list or a search have URLs that differ from that of the request.
  const isFromList = choices !== undefined || translationOptionsOf(request)?.search !== undefined;
  if (only !== undefined && others.length === 0 && !isFromList) {
    const converted = await convertArticle(only, harvestedUrl, { ...context, warnings }, ports);
    return {
      outcomes: [...(converted ? [converted] : []), ...omittedOutcomes],
      isComplete: converted !== undefined,
    };
  }
  const requested = choices?.length ?? 1;
  return convertEachItem(content, { ...context, requested, isFromList, omittedOutcomes }, ports);
}

/**
 * Converts each item.
 * @param context.requested the number of articles that the request was counted as
 * @param context.isFromList whether the request was for a list or a search; otherwise, its address may be that of its
 * items
 */
async function convertEachItem(
  { articles, harvestedUrl, warnings }: Items,
  context: Context & { requested: number; isFromList: boolean; omittedOutcomes: DocumentOutcome[] },
  ports: ConvertContentPorts,
): Promise<ConvertedContent> {
  const { runId, sourceId, entry: listed, requested, isFromList, omittedOutcomes } = context;
  const identified = identifyZoteroItems(articles, context);
  const claimedIds = await claimNewItems(identified, context, ports);
  const converted = await inParallel(
    identified,
    maxParallelConversions,
    ({ statements, entry, hasOwnUrl, id }) => {
      const listUrl = isFromList || !hasOwnUrl ? harvestedUrl : undefined;
      return convertArticle(statements, harvestedUrl, { ...context, warnings, entry, id, listUrl }, ports);
    },
  );
  // If another response of the run has claimed an item, the item is reported there, unless it could be converted only
  // here.
  const reported = converted.filter(
    (outcome) =>
      outcome !== undefined && (outcome.state === "converted" || claimedIds.has(outcome.requestId)),
  ) as DocumentOutcome[];
  const outcomes = [...reported, ...omittedOutcomes];
  const found = claimedIds.size + omittedOutcomes.length;
  const isComplete = !converted.includes(undefined);
  await correctCounts(Math.max(found, 1) - requested, context, ports);
  if (found === 0) {
    const reason = `it has ${pluralize(articles.length, "article")}, all of which the run found elsewhere`;
    const id = articleId(runId, sourceId, listed.url);
    outcomes.push({ ...articleBase({ ...context, id }), state: "dropped", reason });
  }
  return { outcomes, isComplete };
}

/**
 * Claims the items.
 * @returns the ids of the items that no other response or listing of the run has claimed
 */
async function claimNewItems(
  items: IdentifiedZoteroItem[],
  { runId, sourceId, entry, response }: Context,
  { runs }: ConvertContentPorts,
): Promise<Set<string>> {
  const own = articleId(runId, sourceId, entry.url);
  const ids = items.map(({ id }) => id);
  const claim = { ids: ids.filter((id) => id !== own), claimant: response.request.id };
  const claimed = claim.ids.length === 0 ? [] : await runs.claimRequests(runId, sourceId, claim);
  return new Set([...claimed, ...ids.filter((id) => id === own)]);
}

/** Adds surplus articles to the source's counts, or subtracts missing articles and reports them. */
async function correctCounts(
  difference: number,
  { runId, sourceId, response }: Context,
  ports: ConvertContentPorts,
) {
  if (difference === 0) return;
  const { id, url } = response.request;
  const title = (await ports.sources.source(sourceId))?.title ?? sourceId;
  const dropped = {
    entry: `${pluralize(-difference, "choice")} of ${url}`,
    reason: "requested, but missing from the translation server's response",
  };
  await ports.runs.saveListingOutcome(runId, id, {
    ...emptyListingResult({ sourceId, title }).outcome,
    entries: Math.max(0, difference),
    requested: difference,
    dropped: difference < 0 ? [dropped] : [],
  });
}

/**
 * Returns an outcome for each requested article of a response without items. The requested articles are the page
 * itself, or the choices that were not omitted.
 */
function describeMissed(
  content: Exclude<ConvertibleContent, Items>,
  { choices, omitted, ...context }: Context & { choices: FeedEntry[] | undefined; omitted: string[] },
): DocumentOutcome[] {
  const reason =
    content.type === "empty" ? "the translation server returned an empty response" : content.reason;
  const state = content.type === "dropped" ? "dropped" : "failed";
  const requested = choices?.filter(({ url }) => !omitted.some((name) => url.startsWith(name)));
  const contexts = requested?.map((entry) => contextForEntry(entry, context)) ?? [context];
  return contexts.map((one) => ({ ...articleBase(one), state, reason }));
}

/** Returns the context of one of several articles. */
function contextForEntry(entry: FeedEntry, context: Context): Context {
  return { ...context, entry, id: articleId(context.runId, context.sourceId, entry.url) };
}

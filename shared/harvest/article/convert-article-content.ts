import { inParallel } from "../../core/in-parallel.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import type { ArticleOutcome } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import { articleId, entryFromUrl } from "../listing/article-requests.ts";
import { emptyListingResult } from "../listing/listing-results.ts";
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
import type { ArticleContent } from "./parse-article-content.ts";

/** Of one answer. */
const maxParallelConversions = 16;

export interface ConvertContentPorts extends ConvertArticlePorts {
  runs: Pick<RunStore, "claimRequests" | "saveListingOutcome">;
  bodies: BodyReader;
}

type Context = Omit<ArticleConversionContext, "warnings">;
type ConvertibleContent = Exclude<ArticleContent, { type: "choices" | "linked" }>;
type Items = Extract<ConvertibleContent, { type: "items" }>;

/** What became of the documents of an answer; not whole while some of them wait for the authority file. */
export interface ConvertedContent {
  outcomes: ArticleOutcome[];
  isComplete: boolean;
}

/**
 * Makes documents of an answer: of each of its items, of what it has left out, and of what it was asked for in vain. Where
 * these are more or fewer than were asked for, the source's counts are put right.
 */
export async function convertArticleContent(
  answer: ConvertibleContent,
  context: Context,
  ports: ConvertContentPorts,
): Promise<ConvertedContent> {
  const { request, outcome } = context.response;
  const omissions = outcome.type === "answered" ? (outcome.skippedChoices ?? []) : [];
  const omittedOutcomes = omissions.map(
    ({ entry, reason }): ArticleOutcome => ({
      ...articleBase(contextForEntry(entryFromUrl(entry), context)),
      state: "dropped",
      reason,
    }),
  );
  const choices = await loadPostedChoices(request, ports.bodies);
  if (answer.type !== "items") {
    const missed = describeMissed(answer, { ...context, choices, left: omissions.map(({ entry }) => entry) });
    return { outcomes: [...missed, ...omittedOutcomes], isComplete: true };
  }
  const { items, harvestedUrl, warnings } = answer;
  const [only, ...others] = items;
  // What is found in a list or by a search is at another address than the list.
  const isOfList = choices !== undefined || request.translation?.search !== undefined;
  if (only !== undefined && others.length === 0 && !isOfList) {
    const document = await convertArticle(only, harvestedUrl, { ...context, warnings }, ports);
    return {
      outcomes: [...(document ? [document] : []), ...omittedOutcomes],
      isComplete: document !== undefined,
    };
  }
  const asked = choices?.length ?? 1;
  return convertEachItem(answer, { ...context, asked, omittedOutcomes }, ports);
}

/** @param context.asked how many articles the request was counted as */
async function convertEachItem(
  { items, harvestedUrl, warnings }: Items,
  context: Context & { asked: number; omittedOutcomes: ArticleOutcome[] },
  ports: ConvertContentPorts,
): Promise<ConvertedContent> {
  const { runId, sourceId, entry: listed, asked, omittedOutcomes } = context;
  const answered = identifyZoteroItems(items, context);
  const claimedIds = await claimNewItems(answered, context, ports);
  const read = await inParallel(answered, maxParallelConversions, ({ zoteroItems, entry, id }) =>
    convertArticle(zoteroItems, harvestedUrl, { ...context, warnings, entry, id }, ports),
  );
  // What others of the run have met is theirs to tell of, unless it is to be had here.
  const documents = read.filter(
    (document) =>
      document !== undefined && (document.state === "converted" || claimedIds.has(document.requestId)),
  ) as ArticleOutcome[];
  const outcomes = [...documents, ...omittedOutcomes];
  const found = claimedIds.size + omittedOutcomes.length;
  const isComplete = !read.includes(undefined);
  await correctCounts(Math.max(found, 1) - asked, context, ports);
  if (found === 0) {
    const reason = `it leads to ${pluralize(items.length, "article")} that others of the run have led to`;
    const id = articleId(runId, sourceId, listed.url);
    outcomes.push({ ...articleBase({ ...context, id }), state: "dropped", reason });
  }
  return { outcomes, isComplete };
}

/** The ids of those items that no other answer or listing of the run has met. */
async function claimNewItems(
  items: IdentifiedZoteroItem[],
  { runId, sourceId, entry, response }: Context,
  { runs }: ConvertContentPorts,
): Promise<Set<string>> {
  const own = articleId(runId, sourceId, entry.url);
  const ids = items.map(({ id }) => id);
  const claim = { ids: ids.filter((id) => id !== own), claimant: response.request.id };
  const mine = claim.ids.length === 0 ? [] : await runs.claimRequests(runId, sourceId, claim);
  return new Set([...mine, ...ids.filter((id) => id === own)]);
}

/** Adds to what the source has listed the articles that an answer holds beyond those asked for, or tells of missing ones. */
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
    reason: "asked for, and not in the translation server's answer",
  };
  await ports.runs.saveListingOutcome(runId, id, {
    ...emptyListingResult({ sourceId, title }).outcome,
    entries: Math.max(0, difference),
    requested: difference,
    dropped: difference < 0 ? [dropped] : [],
  });
}

/** What was asked for, each by its name: the article, or the choices of a list. */
function describeMissed(
  answer: Exclude<ConvertibleContent, Items>,
  { choices, left, ...context }: Context & { choices: FeedEntry[] | undefined; left: string[] },
): ArticleOutcome[] {
  const reason = answer.type === "empty" ? "the translation server answers with nothing" : answer.reason;
  const state = answer.type === "dropped" ? "dropped" : "failed";
  const asked = choices?.filter(({ url }) => !left.some((name) => url.startsWith(name)));
  const contexts = asked?.map((entry) => contextForEntry(entry, context)) ?? [context];
  return contexts.map((one) => ({ ...articleBase(one), state, reason }));
}

/** The context of one of several documents. */
function contextForEntry(entry: FeedEntry, context: Context): Context {
  return { ...context, entry, id: articleId(context.runId, context.sourceId, entry.url) };
}

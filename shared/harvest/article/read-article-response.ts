// Input: the response to an article request, from the queue. Output: stored article outcomes, or follow-up requests.
// Called by functions/harvest/read-article.ts. Steps: parse-article-content.ts → convert-article-content.ts →
// convert-article.ts → store-record.ts.

import * as z from "zod";
import { inParallel } from "../../core/in-parallel.ts";
import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import { closeRequest, parseContext, runContext } from "../../records/runs/completion.ts";
import { findReceivingRun, saveToReceiver } from "../../records/runs/late-harvest.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue } from "../../records/runs/stages.ts";
import { objectKeyOf } from "../../web/gate/message-body.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { translationOptionsOf } from "../../web/translation/translation-options.ts";
import { finishListing } from "../listing/finish-listing.ts";
import type { ArticleContent } from "./article-content.ts";
import { type ConvertContentPorts, convertArticleContent } from "./convert-article-content.ts";
import {
  buildLinkedRequest,
  type LinkedMetadataRequest,
  linkedMetadataContext,
} from "./linked-metadata-request.ts";
import { type PageLinks, readPageLinks, selectListedArticles } from "./page-links.ts";
import { type PagePorts, parseArticleContent } from "./parse-article-content.ts";
import { readPreviewedPage } from "./previewed-page.ts";
import { type RememberReadPorts, rememberRead } from "./remember-read.ts";
import { buildRetryRequest, buildUntranslatedRequest, requestChoices } from "./translation-requests.ts";

/** The number of outcomes of a response that are stored at the same time. */
const maxParallelWrites = 16;

const articleContext = runContext.extend({
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
  /** The number of empty responses of the translation server so far. */
  emptyAnswers: z.number().int().optional(),
  /** Set when the request is for a record that the page links to. */
  linked: linkedMetadataContext.optional(),
  /** The stored response of the translation server, if it has translated the page that is now requested. */
  translation: z.object({ bodyKey: z.string() }).optional(),
});

/** The context of an article request, which the readers of listings set. */
type ArticleContext = z.output<typeof articleContext>;

interface ReadArticlePorts extends Omit<ConvertContentPorts, "archive">, RememberReadPorts {
  runs: RunStore;
  requests: RequestQueue;
  delivery: StageQueue;
  recipes: PagePorts["recipes"];
}

/**
 * Reads the response to an article request. Stores a record for each article in the response, or the reason why there
 * is none. In other cases, sends a follow-up request instead: the page is a list; the translation server returns
 * choices, nothing, or one article; or a linked record must complete the page. While the authority file is queried for
 * names, the request stays open, and its response is delivered again.
 */
export async function readArticleResponse(response: InboundResponse, ports: ReadArticlePorts): Promise<void> {
  const { request } = response;
  const context = { ...parseContext(request, articleContext), id: request.id };
  const { runId } = context;
  const receiving = await findReceivingRun(runId, ports.runs);
  if (receiving === undefined) return;
  const { run } = receiving;

  const parsed = await parseArticleContent(response, context, ports);
  const pageLinks = await findPageLinks(parsed, { request, sourceId: context.sourceId }, ports);
  if (pageLinks?.type === "links") {
    const list = () => selectListedArticles(pageLinks, request, { ...context, run }, ports);
    return finishListing(list, { ...context, ...receiving }, ports);
  }
  const content = pageLinks?.content ?? parsed;
  if (content.type === "choices") {
    const title = (await ports.sources.source(context.sourceId))?.title ?? context.sourceId;
    const list = () => requestChoices(content.choices, request, { ...context, run, title }, ports);
    return finishListing(list, { ...context, ...receiving }, ports);
  }
  if (content.type === "linked")
    return replaceRequest(await requestLinked(content.next, request, ports), context, ports);
  if (content.type === "translated") {
    const bodyKey = await objectKeyOf(content.bodyKey, `${request.id}-translation`, ports.bodies);
    return replaceRequest(buildUntranslatedRequest(request, { bodyKey }), context, ports);
  }
  if (content.type === "untranslated")
    return replaceRequest(buildUntranslatedRequest(request), context, ports);
  const retry = content.type === "empty" ? buildRetryRequest(request, context.emptyAnswers) : undefined;
  if (retry !== undefined) return replaceRequest(retry, context, ports);
  const { outcomes, isComplete } = await convertArticleContent(content, { ...context, run, response }, ports);
  const isPreview = run.deliveryMode === "NONE" && run.harvestOf === undefined;
  const page = isPreview ? await readPreviewedPage(response, context.linked, ports.bodies) : undefined;
  const save = (receivedBy: string) =>
    inParallel(outcomes, maxParallelWrites, (outcome) =>
      ports.runs.saveOutcome(receivedBy, { ...outcome, ...(page && { page }) }),
    );
  await saveToReceiver({ ...receiving, runId }, save, ports.runs);
  if (!isComplete) return;
  await rememberRead(outcomes, { run, request, entry: context.entry }, ports);
  await closeRequest(context, ports);
}

/**
 * Returns the links of a page that may be a list of articles.
 * @returns undefined for all other content
 */
async function findPageLinks(
  content: ArticleContent,
  { request, sourceId }: Pick<InboundResponse, "request"> & { sourceId: string },
  ports: Pick<ReadArticlePorts, "sources" | "bodies">,
): Promise<PageLinks | undefined> {
  if (
    translationOptionsOf(request)?.returnsChoices !== true ||
    !("list" in content) ||
    content.list === undefined
  )
    return undefined;
  return readPageLinks({ ...content, list: content.list }, sourceId, ports);
}

/** Requests a record that a page links to. The page is read again together with the record. */
async function requestLinked(
  next: LinkedMetadataRequest,
  request: InboundResponse["request"],
  { bodies }: Pick<ReadArticlePorts, "bodies">,
): Promise<NewRequest> {
  const { page } = next.linked;
  const bodyKey = await objectKeyOf(page.bodyKey, `${request.id}-page`, bodies);
  return buildLinkedRequest({ ...next, linked: { ...next.linked, page: { ...page, bodyKey } } }, request);
}

/** Closes the request and opens another request in its place. */
async function replaceRequest(
  next: NewRequest,
  context: ArticleContext & { id: string },
  ports: ReadArticlePorts,
): Promise<void> {
  await closeRequest({ ...context, opened: [next.id] }, ports);
  await ports.requests.send([next]);
}

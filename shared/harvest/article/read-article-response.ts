import { z } from "zod";
import { inParallel } from "../../core/in-parallel.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import { closeRequest, parseContext, runContext } from "../../runs/completion.ts";
import { acceptsOutcomes } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { StageQueue } from "../../runs/stages.ts";
import type { BodyReader, BodyWriter } from "../../web/gate/bodies.ts";
import type { NewRequest, RequestQueue } from "../../web/gate/request.ts";
import type { InboundResponse } from "../../web/gate/response.ts";
import { type PageLinks, readPageLinks, selectListedArticles } from "../direct/page-links.ts";
import { finishListing } from "../listing/finish-listing.ts";
import { type ConvertContentPorts, convertArticleContent } from "./convert-article-content.ts";
import { buildLinkedRequest, linkedMetadataContext } from "./linked-metadata-request.ts";
import { type ArticleContent, parseArticleContent } from "./parse-article-content.ts";
import { buildRetryRequest, requestChoices } from "./translation-requests.ts";

/** Of the documents of one answer. */
const maxParallelWrites = 16;

const articleContext = runContext.extend({
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
  /** How often the translation server has answered with nothing. */
  emptyAnswers: z.number().int().optional(),
  /** Set when a record that the page links to is asked for, and not the page. */
  linked: linkedMetadataContext.optional(),
});

/** The request's context, as the readers of listings give it. */
export type ArticleContext = z.output<typeof articleContext>;

export interface ReadArticlePorts extends ConvertContentPorts {
  runs: RunStore;
  bodies: BodyReader & BodyWriter;
  requests: RequestQueue;
  delivery: StageQueue;
}

/**
 * Reads the answer to a request for an article: makes records of it, or notes why there are none; or asks once more,
 * where the translation server has answered with choices or with nothing, and where a page links to a record that says
 * what it leaves open. While names have to be looked up the request stays open, and its answer comes again.
 */
export async function readArticleResponse(response: InboundResponse, ports: ReadArticlePorts): Promise<void> {
  const { request } = response;
  const context = { ...parseContext(request, articleContext), id: request.id };
  const { runId } = context;
  const run = await ports.runs.get(runId);
  if (!acceptsOutcomes(run)) return;

  const read = await parseArticleContent(response, context, ports.bodies);
  const found = await findPageLinks(read, { request, sourceId: context.sourceId }, ports);
  if (found?.type === "links") {
    const list = () => selectListedArticles(found, request, { ...context, run }, ports);
    return finishListing(list, { ...context, run }, ports);
  }
  const answer = found?.answer ?? read;
  if (answer.type === "choices") {
    const title = (await ports.sources.source(context.sourceId))?.title ?? context.sourceId;
    const list = () => requestChoices(answer.choices, request, { ...context, run, title }, ports);
    return finishListing(list, { ...context, run }, ports);
  }
  if (answer.type === "linked")
    return replaceRequest(buildLinkedRequest(answer.step, request), context, ports);
  const again = answer.type === "empty" ? buildRetryRequest(request, context.emptyAnswers) : undefined;
  if (again !== undefined) return replaceRequest(again, context, ports);
  const { outcomes, isComplete } = await convertArticleContent(answer, { ...context, run, response }, ports);
  await inParallel(outcomes, maxParallelWrites, (document) => ports.runs.saveArticle(runId, document));
  if (isComplete) await closeRequest(context, ports);
}

/** What the page of a source that may be a list holds, when it is no article; undefined of all others. */
async function findPageLinks(
  answer: ArticleContent,
  { request, sourceId }: Pick<InboundResponse, "request"> & { sourceId: string },
  ports: Pick<ReadArticlePorts, "sources" | "bodies">,
): Promise<PageLinks | undefined> {
  if (request.translation?.returnsChoices !== true || !("list" in answer) || answer.list === undefined)
    return undefined;
  return readPageLinks({ ...answer, list: answer.list }, sourceId, ports);
}

/** Has another request take the place of one that is read. */
async function replaceRequest(
  next: NewRequest,
  context: ArticleContext & { id: string },
  ports: ReadArticlePorts,
): Promise<void> {
  await closeRequest({ ...context, opened: [next.id] }, ports);
  await ports.requests.send([next]);
}

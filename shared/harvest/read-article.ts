import { z } from "zod";
import { inParallel } from "../core/in-parallel.ts";
import type { BodyKeeper, BodyStore, Requests, RunStore, StageQueue } from "../ports.ts";
import type { NewRequest } from "../web/gate/request.ts";
import type { InboundResponse } from "../web/gate/response.ts";
import { type ArticleAnswer, readArticleAnswer } from "./article-answer.ts";
import { closeRequest, contextOf, counted } from "./completion.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { linkedContext, requestFor } from "./linked/follow.ts";
import { concludeListing } from "./listing.ts";
import { type PageList, readPageList, takeListed } from "./page-list.ts";
import { type ReadAnswerPorts, readDocuments } from "./read-documents.ts";
import { acceptsDocuments } from "./run.ts";
import { askAgain, takeChoices } from "./translation/follow-ups.ts";

/** Of the documents of one answer. */
const documentsAtOnce = 16;

const articleContext = counted.extend({
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
  /** How often the translation server has answered with nothing. */
  emptyAnswers: z.number().int().optional(),
  /** Set when a record that the page links to is asked for, and not the page. */
  linked: linkedContext.optional(),
});

/** The request's context, as the readers of listings give it. */
export type ArticleContext = z.output<typeof articleContext>;

export interface ReadArticlePorts extends ReadAnswerPorts {
  runs: RunStore;
  bodies: BodyStore & BodyKeeper;
  requests: Requests;
  delivery: StageQueue;
}

/**
 * Reads the answer to a request for an article: makes records of it, or notes why there are none; or asks once more,
 * where the translation server has answered with choices or with nothing, and where a page links to a record that says
 * what it leaves open. While names have to be looked up the request stays open, and its answer comes again.
 */
export async function readArticleResponse(response: InboundResponse, ports: ReadArticlePorts): Promise<void> {
  const { request } = response;
  const context = { ...contextOf(request, articleContext), id: request.id };
  const { runId } = context;
  const run = await ports.runs.get(runId);
  if (!acceptsDocuments(run)) return;

  const read = await readArticleAnswer(response, context, ports.bodies);
  const found = await listOf(read, { request, sourceId: context.sourceId }, ports);
  if (found?.type === "links") {
    const list = () => takeListed(found, request, { ...context, run }, ports);
    return concludeListing(list, { ...context, run }, ports);
  }
  const answer = found?.answer ?? read;
  if (answer.type === "choices") {
    const title = (await ports.sources.source(context.sourceId))?.title ?? context.sourceId;
    const list = () => takeChoices(answer.choices, request, { ...context, run, title }, ports);
    return concludeListing(list, { ...context, run }, ports);
  }
  if (answer.type === "linked") return askFor(requestFor(answer.step, request), context, ports);
  const again = answer.type === "empty" ? askAgain(request, context.emptyAnswers) : undefined;
  if (again !== undefined) return askFor(again, context, ports);
  const { documents, isWhole } = await readDocuments(answer, { ...context, run, response }, ports);
  await inParallel(documents, documentsAtOnce, (document) => ports.runs.saveDocument(runId, document));
  if (isWhole) await closeRequest(context, ports);
}

/** What the page of a source that may be a list holds, when it is no article; undefined of all others. */
async function listOf(
  answer: ArticleAnswer,
  { request, sourceId }: Pick<InboundResponse, "request"> & { sourceId: string },
  ports: Pick<ReadArticlePorts, "sources" | "bodies">,
): Promise<PageList | undefined> {
  if (request.translation?.tellsChoices !== true || !("list" in answer) || answer.list === undefined)
    return undefined;
  return readPageList({ ...answer, list: answer.list }, sourceId, ports);
}

/** Has another request take the place of one that is read. */
async function askFor(
  next: NewRequest,
  context: ArticleContext & { id: string },
  ports: ReadArticlePorts,
): Promise<void> {
  await closeRequest({ ...context, opened: [next.id] }, ports);
  await ports.requests.send([next]);
}

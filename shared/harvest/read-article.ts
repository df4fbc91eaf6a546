import { z } from "zod";
import { digest } from "../core/digest.ts";
import { inParallel } from "../core/in-parallel.ts";
import type { BodyKeeper, BodyStore, Requests, RunStore, StageQueue } from "../ports.ts";
import type { NewRequest } from "../web/gate/request.ts";
import type { InboundResponse } from "../web/gate/response.ts";
import { type ArticleAnswer, readArticleAnswer } from "./article-answer.ts";
import { articleId, bareEntry } from "./article-requests.ts";
import { closeRequest, contextOf, counted } from "./completion.ts";
import { told } from "./convert/conversion.ts";
import { escapedDoiUrl, statedDoi } from "./doi.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { addressesOf, type ZoteroItem } from "./item.ts";
import { linkedContext, requestFor } from "./linked/follow.ts";
import { concludeListing } from "./listing.ts";
import { type PageList, readPageList, takeListed } from "./page-list.ts";
import { type DocumentContext, documentOf, type ReadDocumentPorts, readDocument } from "./read-document.ts";
import { acceptsDocuments, type DocumentOutcome } from "./run.ts";
import { askAgain, takeChoices } from "./translation/follow-ups.ts";
import { webUrl } from "./web-address.ts";

/** Of the items of one answer. */
const itemsAtOnce = 16;

/** Longer ones are no addresses; the one of the list stands for them. */
const mostAddressChars = 10_000;

const articleContext = counted.extend({
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
  /** How often the translation server has answered with nothing. */
  emptyAnswers: z.number().int().optional(),
  /** Set when a record that the page links to is asked for, and not the page. */
  linked: linkedContext.optional(),
});

/** The request's context, as the readers of listings give it. */
export type ArticleContext = z.output<typeof articleContext>;

export interface ReadArticlePorts extends ReadDocumentPorts {
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
  const documents =
    again === undefined ? await readDocuments(answer, { ...context, run, response }, ports) : [];
  const known = [...documents, ...leftOut(response, context)].filter((document) => document !== undefined);
  await inParallel(known, itemsAtOnce, (document) => ports.runs.saveDocument(runId, document));
  if (again !== undefined) return askFor(again, context, ports);
  if (!documents.includes(undefined)) await closeRequest(context, ports);
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

type Context = ArticleContext & Omit<DocumentContext, "warnings">;

/** Has another request take the place of one that is read. */
async function askFor(
  next: NewRequest,
  context: ArticleContext & { id: string },
  ports: ReadArticlePorts,
): Promise<void> {
  await closeRequest({ ...context, opened: [next.id] }, ports);
  await ports.requests.send([next]);
}

/** What became of the documents of an answer; undefined for those that wait for the authority file. */
async function readDocuments(
  answer: Exclude<ArticleAnswer, { type: "choices" | "linked" }>,
  context: Context,
  ports: ReadArticlePorts,
): Promise<(DocumentOutcome | undefined)[]> {
  if (answer.type !== "items") {
    const reason = answer.type === "empty" ? "the translation server answers with nothing" : answer.reason;
    return [{ ...documentOf(context), state: answer.type === "dropped" ? "dropped" : "failed", reason }];
  }
  const { items, harvestedUrl, warnings } = answer;
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0)
    return [await readDocument(only, harvestedUrl, { ...context, warnings }, ports)];
  return inParallel([...items.entries()], itemsAtOnce, ([index, group]) => {
    const entry = entryOf(group, context.entry, index);
    const id = articleId(context.runId, context.sourceId, entry.url);
    return readDocument(group, harvestedUrl, { ...context, warnings, entry, id }, ports);
  });
}

/** What the translation server was not asked for, of the choices that an address has led to: a document each. */
function leftOut({ outcome }: InboundResponse, context: ArticleContext): DocumentOutcome[] {
  if (outcome.type !== "answered") return [];
  const { runId, sourceId } = context;
  return (outcome.leftOut ?? []).map(({ entry: url, reason }) => {
    const id = articleId(runId, sourceId, url);
    return { ...documentOf({ ...context, id, entry: bareEntry(url) }), state: "dropped", reason };
  });
}

/** One of several items that an address has led to, as a feed would have announced it. */
function entryOf([item]: ZoteroItem[], listed: FeedEntry, index: number): FeedEntry {
  const { doi, url, title } = addressesOf(item);
  const stated = statedDoi(doi);
  const own = [webUrl(url)?.href, stated && escapedDoiUrl(stated)].find(
    (address) => address !== undefined && address.length <= mostAddressChars,
  );
  return {
    ...bareEntry(own ?? `${listed.url}#${digest(title ?? "", String(index))}`),
    ...(title !== undefined && { title: told(title) }),
  };
}

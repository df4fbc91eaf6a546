import { counted } from "../core/counted.ts";
import { inParallel } from "../core/in-parallel.ts";
import type { BodyStore, RunStore } from "../ports.ts";
import { type AnsweredItem, answeredItems, postedChoices } from "./answered-items.ts";
import type { ArticleAnswer } from "./article-answer.ts";
import { articleId, bareEntry } from "./article-requests.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { emptyListing } from "./listing.ts";
import { type DocumentContext, documentOf, type ReadDocumentPorts, readDocument } from "./read-document.ts";
import type { DocumentOutcome } from "./run.ts";

/** Of one answer. */
const itemsAtOnce = 16;

export interface ReadAnswerPorts extends ReadDocumentPorts {
  runs: Pick<RunStore, "claimRequests" | "saveListing">;
  bodies: BodyStore;
}

type Context = Omit<DocumentContext, "warnings">;
type Answer = Exclude<ArticleAnswer, { type: "choices" | "linked" }>;
type Items = Extract<Answer, { type: "items" }>;

/** What became of the documents of an answer; not whole while some of them wait for the authority file. */
export interface AnsweredDocuments {
  documents: DocumentOutcome[];
  isWhole: boolean;
}

/**
 * Makes documents of an answer: of each of its items, of what it has left out, and of what it was asked for in vain. Where
 * these are more or fewer than were asked for, the source's counts are put right.
 */
export async function readDocuments(
  answer: Answer,
  context: Context,
  ports: ReadAnswerPorts,
): Promise<AnsweredDocuments> {
  const { request, outcome } = context.response;
  const left = outcome.type === "answered" ? (outcome.leftOut ?? []) : [];
  const leftOut = left.map(
    ({ entry, reason }): DocumentOutcome => ({
      ...documentOf(ofEntry(bareEntry(entry), context)),
      state: "dropped",
      reason,
    }),
  );
  const choices = await postedChoices(request, ports.bodies);
  if (answer.type !== "items") {
    const missed = missedOf(answer, { ...context, choices, left: left.map(({ entry }) => entry) });
    return { documents: [...missed, ...leftOut], isWhole: true };
  }
  const { items, harvestedUrl, warnings } = answer;
  const [only, ...others] = items;
  // What is found in a list or by a search is at another address than the list.
  const isOfList = choices !== undefined || request.translation?.search !== undefined;
  if (only !== undefined && others.length === 0 && !isOfList) {
    const document = await readDocument(only, harvestedUrl, { ...context, warnings }, ports);
    return { documents: [...(document ? [document] : []), ...leftOut], isWhole: document !== undefined };
  }
  const asked = choices?.length ?? 1;
  return readItems(answer, { ...context, asked, leftOut }, ports);
}

/** @param context.asked how many articles the request was counted as */
async function readItems(
  { items, harvestedUrl, warnings }: Items,
  context: Context & { asked: number; leftOut: DocumentOutcome[] },
  ports: ReadAnswerPorts,
): Promise<AnsweredDocuments> {
  const { runId, sourceId, entry: listed, asked, leftOut } = context;
  const answered = answeredItems(items, context);
  const mine = await firstMet(answered, context, ports);
  const read = await inParallel(answered, itemsAtOnce, ({ group, entry, id }) =>
    readDocument(group, harvestedUrl, { ...context, warnings, entry, id }, ports),
  );
  // What others of the run have met is theirs to tell of, unless it is to be had here.
  const documents = read.filter(
    (document) => document !== undefined && (document.state === "converted" || mine.has(document.requestId)),
  ) as DocumentOutcome[];
  const told = [...documents, ...leftOut];
  const found = mine.size + leftOut.length;
  const isWhole = !read.includes(undefined);
  await putRight(Math.max(found, 1) - asked, context, ports);
  if (found === 0) {
    const reason = `it leads to ${counted(items.length, "article")} that others of the run have led to`;
    const id = articleId(runId, sourceId, listed.url);
    told.push({ ...documentOf({ ...context, id }), state: "dropped", reason });
  }
  return { documents: told, isWhole };
}

/** The ids of those items that no other answer or listing of the run has met. */
async function firstMet(
  items: AnsweredItem[],
  { runId, sourceId, entry, response }: Context,
  { runs }: ReadAnswerPorts,
): Promise<Set<string>> {
  const own = articleId(runId, sourceId, entry.url);
  const ids = items.map(({ id }) => id);
  const claim = { ids: ids.filter((id) => id !== own), claimant: response.request.id };
  const mine = claim.ids.length === 0 ? [] : await runs.claimRequests(runId, sourceId, claim);
  return new Set([...mine, ...ids.filter((id) => id === own)]);
}

/** Adds to what the source has listed the articles that an answer holds beyond those asked for, or tells of missing ones. */
async function putRight(difference: number, { runId, sourceId, response }: Context, ports: ReadAnswerPorts) {
  if (difference === 0) return;
  const { id, url } = response.request;
  const title = (await ports.sources.source(sourceId))?.title ?? sourceId;
  const dropped = {
    entry: `${counted(-difference, "choice")} of ${url}`,
    reason: "asked for, and not in the translation server's answer",
  };
  await ports.runs.saveListing(runId, id, {
    ...emptyListing({ sourceId, title }).outcome,
    entries: Math.max(0, difference),
    requested: difference,
    dropped: difference < 0 ? [dropped] : [],
  });
}

/** What was asked for, each by its name: the article, or the choices of a list. */
function missedOf(
  answer: Exclude<Answer, Items>,
  { choices, left, ...context }: Context & { choices: FeedEntry[] | undefined; left: string[] },
): DocumentOutcome[] {
  const reason = answer.type === "empty" ? "the translation server answers with nothing" : answer.reason;
  const state = answer.type === "dropped" ? "dropped" : "failed";
  const asked = choices?.filter(({ url }) => !left.some((name) => url.startsWith(name)));
  const contexts = asked?.map((entry) => ofEntry(entry, context)) ?? [context];
  return contexts.map((one) => ({ ...documentOf(one), state, reason }));
}

/** The context of one of several documents. */
function ofEntry(entry: FeedEntry, context: Context): Context {
  return { ...context, entry, id: articleId(context.runId, context.sourceId, entry.url) };
}

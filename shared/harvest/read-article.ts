import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { dayIn } from "../core/day.ts";
import { digest } from "../core/digest.ts";
import { inParallel } from "../core/in-parallel.ts";
import type {
  ArchiveStore,
  BodyKeeper,
  BodyStore,
  Events,
  RecordStore,
  Requests,
  RunStore,
  SourceStore,
  StageQueue,
} from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { InboundResponse } from "../web/request.ts";
import { archiveKeys } from "./archive-keys.ts";
import { type ArticleAnswer, readArticleAnswer } from "./article-answer.ts";
import { articleId, bareEntry } from "./article-requests.ts";
import { lookupBase } from "./authority/authority.ts";
import { type GatherPorts, gatherAuthorities } from "./authority/gather-authorities.ts";
import { closeRequest, contextOf, counted } from "./completion.ts";
import type { Converted } from "./convert/conversion.ts";
import { settleItems, writeRecords } from "./convert/convert.ts";
import type { DetectLanguage } from "./convert/languages.ts";
import { escapedDoiUrl, statedDoi } from "./doi.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import type { ZoteroItem } from "./item.ts";
import { concludeListing } from "./listing.ts";
import { acceptsDocuments, type DocumentOutcome, type Run } from "./run.ts";
import { askAgain, takeChoices } from "./translation/follow-ups.ts";
import { webUrl } from "./web-address.ts";

/** Of the items of one answer. */
const itemsAtOnce = 16;

const articleContext = counted.extend({
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
  /** How often the translation server has answered with nothing. */
  emptyAnswers: z.number().int().optional(),
});

/** The request's context, as the readers of listings give it. */
export type ArticleContext = z.output<typeof articleContext>;

export interface ReadArticlePorts extends GatherPorts {
  sources: SourceStore;
  runs: RunStore;
  records: Pick<RecordStore, "keepMarc" | "save">;
  archive: Pick<ArchiveStore, "known">;
  bodies: BodyStore & BodyKeeper;
  requests: Requests;
  delivery: StageQueue;
  events: Events;
  detectLanguage: DetectLanguage;
  clock: Clock;
  timeZone: string;
}

/**
 * Reads the answer to a request for an article: makes records of it, or notes why there are none; or asks once more,
 * where the translation server has answered with choices or with nothing. While names have to be looked up the request
 * stays open, and its answer comes again.
 */
export async function readArticleResponse(response: InboundResponse, ports: ReadArticlePorts): Promise<void> {
  const { request } = response;
  const context = { ...contextOf(request, articleContext), id: request.id };
  const { runId } = context;
  const run = await ports.runs.get(runId);
  if (!acceptsDocuments(run)) return;

  const answer = await readArticleAnswer(response, context.entry, ports.bodies);
  if (answer.type === "choices") {
    const title = (await ports.sources.source(context.sourceId))?.title ?? context.sourceId;
    await concludeListing(
      await takeChoices(answer.choices, request, { ...context, run, title }, ports),
      { ...context, run },
      ports,
    );
    return;
  }
  const again = answer.type === "empty" ? askAgain(request, context.emptyAnswers) : undefined;
  const documents =
    again === undefined ? await readDocuments(answer, { ...context, run, response }, ports) : [];
  for (const document of documents) {
    if (document !== undefined) await ports.runs.saveDocument(runId, document);
  }
  if (documents.includes(undefined)) return;
  const requests = again === undefined ? [] : [again];
  await closeRequest({ ...context, opened: requests.map(({ id }) => id) }, ports);
  await ports.requests.send(requests);
}

type Context = ArticleContext & { id: string; run: Run; response: InboundResponse };

/** What became of the documents of an answer; undefined for those that wait for the authority file. */
async function readDocuments(
  answer: Exclude<ArticleAnswer, { type: "choices" }>,
  context: Context,
  ports: ReadArticlePorts,
): Promise<(DocumentOutcome | undefined)[]> {
  if (answer.type !== "items") {
    const reason = answer.type === "empty" ? "the translation server answers with nothing" : answer.reason;
    return [{ ...documentOf(context), state: answer.type === "dropped" ? "dropped" : "failed", reason }];
  }
  const { items, harvestedUrl } = answer;
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0)
    return [await readDocument(only, harvestedUrl, context, ports)];
  return inParallel(items, itemsAtOnce, (group) => {
    const entry = entryOf(group, context.entry);
    const id = articleId(context.runId, context.sourceId, entry.url);
    return readDocument(group, harvestedUrl, { ...context, entry, id }, ports);
  });
}

/** One of several items that an address has led to, as a feed would have announced it. */
function entryOf([item]: ZoteroItem[], listed: FeedEntry): FeedEntry {
  const doi = statedDoi(item?.DOI);
  const url =
    webUrl(item?.url)?.href ?? (doi && escapedDoiUrl(doi)) ?? `${listed.url}#${digest(item?.title ?? "")}`;
  return { ...bareEntry(url), ...(item?.title !== undefined && { title: item.title }) };
}

function documentOf({ id, sourceId, entry: { url, title } }: Context) {
  return { requestId: id, sourceId, url, ...(title !== undefined && { title }) };
}

/** @param items one, and the notes that belong to it */
async function readDocument(
  items: ZoteroItem[],
  harvestedUrl: string,
  context: Context,
  ports: ReadArticlePorts,
): Promise<DocumentOutcome | undefined> {
  const { sourceId, entry } = context;
  const document = documentOf(context);
  const { url } = entry;
  const mode = context.run.deliveryMode;
  const isKnown = async (keys: string[]) => (await ports.archive.known(keys)).size > 0;
  // Asked twice: before the conversion, whose lookups cost others, and after it, with all that the record says.
  const announced = { doi: items[0]?.DOI, urls: [url, ...(items[0]?.url ? [items[0].url] : [])] };
  if (await isKnown(archiveKeys(announced, mode))) return { ...document, state: "known" };
  const conversion = await convert(items, harvestedUrl, context, ports);
  if (conversion.type === "waiting") return undefined;
  if (conversion.type === "unconfigured") {
    return {
      ...document,
      state: "failed",
      reason: `source ${sourceId}, or its group, is no longer configured`,
    };
  }
  if (conversion.type === "dropped") {
    return { ...document, state: "dropped", reason: `${conversion.reason}: ${conversion.detail}` };
  }
  const keys = archiveKeys({ ...conversion, urls: [url, ...conversion.urls] }, mode);
  if (await isKnown(keys)) return { ...document, state: "known", title: conversion.title };
  return keepRecord(document, conversion, { ...context, keys }, ports);
}

async function convert(
  items: ZoteroItem[],
  harvestedUrl: string,
  { runId, sourceId, response }: Context,
  ports: ReadArticlePorts,
) {
  const { sources, detectLanguage, clock, timeZone } = ports;
  const source = await sources.source(sourceId);
  const group = source === undefined ? undefined : await sources.group(source.groupId);
  if (source === undefined || group === undefined) return { type: "unconfigured" as const };
  const settings = await sources.settings();
  const context = { source: named(source, items[0]), group, settings, harvestedUrl };
  const settlement = await settleItems(items, context, detectLanguage);
  const lookup = { runId, response, base: lookupBase(source, group, settings), userAgent: group.userAgent };
  const authorities = await gatherAuthorities(settlement.namesToLookUp, lookup, ports);
  if (authorities === undefined) return { type: "waiting" as const };
  const facts = { today: dayIn(timeZone, clock.now()), authorities };
  const [conversion] = writeRecords(settlement, context, facts);
  if (conversion === undefined) throw new Error("an item was converted to nothing");
  return { ...conversion, groupId: group.groupId, collectionId: source.collectionId ?? sourceId };
}

/** A source that is known by its address alone has the name that its articles give the journal. */
function named(source: Source, item: ZoteroItem | undefined): Source {
  const { publicationTitle } = item ?? {};
  return source.title === source.url && publicationTitle ? { ...source, title: publicationTitle } : source;
}

/** Dates of feeds come in any precision and time zone; one that cannot be read is none. */
function syndicationTime(published: string | undefined, harvestedAt: Date): string {
  const ms = Date.parse(published ?? "");
  return (Number.isNaN(ms) ? harvestedAt : new Date(ms)).toISOString();
}

async function keepRecord(
  document: Pick<DocumentOutcome, "requestId" | "sourceId" | "url">,
  conversion: Converted & { groupId: string; collectionId: string },
  { runId, run, entry, keys }: Context & { keys: string[] },
  { records, events, clock }: ReadArticlePorts,
): Promise<DocumentOutcome> {
  const { sourceId } = document;
  const { record, hash, title, doi, urls, warnings, groupId, collectionId, date } = conversion;
  const recordId = digest(sourceId, entry.id);
  const recordKey = await records.keepMarc(recordId, record);
  const isNew =
    run.deliveryMode !== "NONE" &&
    (await records.save({
      recordId,
      sourceId,
      groupId,
      collectionId,
      runId,
      title,
      landingUrl: urls[0] ?? document.url,
      syndicatedAt: syndicationTime(entry.publishedIso ?? date, clock.now()),
      hash,
      recordKey,
      state: "harvested",
      updatedAt: clock.now().toISOString(),
    }));
  if (isNew) {
    await events.publish({
      type: "document.new",
      changeId: `${recordId}/${hash}`,
      detail: { documentUri: `/records/${recordId}`, sourceId, title },
    });
  }
  return {
    ...document,
    state: "converted",
    title,
    recordId,
    groupId,
    hash,
    ...(doi !== undefined && { doi }),
    urls,
    recordKey,
    archiveKeys: keys,
    warnings,
  };
}

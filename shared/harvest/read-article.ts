import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { dayIn } from "../core/day.ts";
import { digest } from "../core/digest.ts";
import { inputErrorOf } from "../core/problems.ts";
import type {
  ArchiveStore,
  BodyStore,
  Events,
  RecordStore,
  RunStore,
  SourceStore,
  StageQueue,
} from "../ports.ts";
import type { Source } from "../sources/source.ts";
import { describeMiss, type InboundResponse } from "../web/request.ts";
import { archiveKeys } from "./archive-keys.ts";
import { completeItem } from "./complete-item.ts";
import { closeRequest } from "./completion.ts";
import type { Converted } from "./convert/conversion.ts";
import { settleItems, writeRecords } from "./convert/convert.ts";
import type { DetectLanguage } from "./convert/languages.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import type { ZoteroItem } from "./item.ts";
import { readPage } from "./page/read-page.ts";
import { acceptsDocuments, type DocumentOutcome, type Run } from "./run.ts";

/** The request's context, as `read-feed` gives it. */
export interface ArticleContext {
  runId: string;
  sourceId: string;
  entry: FeedEntry;
}

const articleContext = z.object({
  runId: z.string(),
  sourceId: z.string(),
  entry: z.custom<FeedEntry>((value) => typeof value === "object" && value !== null && "url" in value),
});

export interface ReadArticlePorts {
  sources: SourceStore;
  runs: RunStore;
  records: RecordStore;
  archive: ArchiveStore;
  bodies: BodyStore;
  delivery: StageQueue;
  events: Events;
  detectLanguage: DetectLanguage;
  clock: Clock;
  timeZone: string;
}

/** Reads the answer to a request for an article's page: makes a record of it, or notes why there is none. */
export async function readArticleResponse(response: InboundResponse, ports: ReadArticlePorts): Promise<void> {
  const { id, context: given } = response.request;
  const context = articleContext.safeParse(given);
  if (!context.success) throw inputErrorOf(context.error, given);
  const { runId, sourceId } = context.data;
  const run = await ports.runs.get(runId);
  if (!acceptsDocuments(run)) return;

  await ports.runs.saveDocument(runId, await readDocument(response, { ...context.data, run }, ports));
  await closeRequest({ id, runId, sourceId }, ports);
}

async function readDocument(
  { request, outcome }: InboundResponse,
  context: ArticleContext & { run: Run },
  ports: ReadArticlePorts,
): Promise<DocumentOutcome> {
  const { sourceId, entry } = context;
  const { url, title } = entry;
  const document = { requestId: request.id, sourceId, url, ...(title !== undefined && { title }) };
  if (outcome.type !== "answered" || outcome.status !== 200) {
    return { ...document, state: "failed", reason: describeMiss(outcome) };
  }
  const bytes = outcome.bodyKey === undefined ? new Uint8Array() : await ports.bodies.body(outcome.bodyKey);
  const contentType = outcome.headers["content-type"];
  const page = readPage(bytes, { url: outcome.url, ...(contentType !== undefined && { contentType }) });
  if (page.type === "not-a-page") {
    return { ...document, state: "dropped", reason: `${page.reason}: ${page.detail}` };
  }
  const conversion = await convert(completeItem(page.item, entry), outcome.url, context, ports);
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
  const keys = archiveKeys({ ...conversion, urls: [url, ...conversion.urls] }, context.run.deliveryMode);
  const known = await ports.archive.known(keys);
  if (known.size > 0) return { ...document, state: "known", title: conversion.title };
  return keepRecord(document, conversion, { ...context, groupId: conversion.groupId, keys }, ports);
}

async function convert(
  item: ZoteroItem,
  harvestedUrl: string,
  { sourceId }: ArticleContext,
  { sources, detectLanguage, clock, timeZone }: ReadArticlePorts,
) {
  const source = await sources.source(sourceId);
  const group = source === undefined ? undefined : await sources.group(source.groupId);
  if (source === undefined || group === undefined) return { type: "unconfigured" as const };
  const context = { source: named(source, item), group, settings: await sources.settings(), harvestedUrl };
  const settlement = await settleItems([item], context, detectLanguage);
  const [conversion] = writeRecords(settlement, context, { today: dayIn(timeZone, clock.now()) });
  if (conversion === undefined) throw new Error("an item was converted to nothing");
  return { ...conversion, groupId: group.groupId };
}

/** A source that is known by its address alone has the name that its articles give the journal. */
function named(source: Source, { publicationTitle }: ZoteroItem): Source {
  return source.title === source.url && publicationTitle ? { ...source, title: publicationTitle } : source;
}

async function keepRecord(
  document: Pick<DocumentOutcome, "requestId" | "sourceId" | "url">,
  { record, hash, title, doi, urls, warnings }: Converted,
  { runId, entry, groupId, keys }: ArticleContext & { groupId: string; keys: string[] },
  { records, events, clock }: ReadArticlePorts,
): Promise<DocumentOutcome> {
  const { sourceId } = document;
  const recordId = digest(sourceId, entry.id);
  const recordKey = await records.keepMarc(recordId, record);
  const isNew = await records.save({
    recordId,
    sourceId,
    groupId,
    runId,
    title,
    landingUrl: urls[0] ?? document.url,
    hash,
    recordKey,
    state: "harvested",
    updatedAt: clock.now().toISOString(),
  });
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

import { buildArchiveKeys } from "../../archive/archive-keys.ts";
import type { ArchiveStore } from "../../archive/archive-store.ts";
import { findKnownReason } from "../../archive/known-reason.ts";
import { truncateWarnings } from "../../convert/conversion.ts";
import { resolveItems, writeRecords } from "../../convert/convert.ts";
import type { DetectLanguage } from "../../convert/languages.ts";
import { dayIn } from "../../core/day.ts";
import type { FeedEntry } from "../../metadata/feed/feed-entry.ts";
import { identifyingFields, type ZoteroItem } from "../../metadata/zotero-item.ts";
import type { ArticleOutcome, Run } from "../../runs/run.ts";
import type { Source } from "../../sources/source.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import type { InboundResponse } from "../../web/gate/response.ts";
import { authorityLookupUrl } from "../authority/authority.ts";
import { type LookUpAuthoritiesPorts, lookUpAuthorities } from "../authority/look-up-authorities.ts";
import { type StoreRecordPorts, storeRecord } from "./store-record.ts";

/** The context of an article's request, with the answer that its items were read from. */
export interface ArticleConversionContext {
  /** Of the document. */
  id: string;
  runId: string;
  sourceId: string;
  entry: FeedEntry;
  run: Run;
  response: InboundResponse;
  /** What is to be told of how its items were read. */
  warnings: string[];
}

export interface ConvertArticlePorts extends LookUpAuthoritiesPorts, StoreRecordPorts {
  sources: SourceStore;
  archive: Pick<ArchiveStore, "knownReasons">;
  detectLanguage: DetectLanguage;
  timeZone: string;
}

/** What every outcome of a document says of it. */
export function articleBase({
  id,
  sourceId,
  entry: { url, title },
}: Pick<ArticleConversionContext, "id" | "sourceId" | "entry">) {
  return { requestId: id, sourceId, url, ...(title !== undefined && { title }) };
}

/**
 * Makes a record of an item, or says why there is none; undefined while names have to be looked up.
 * @param items one, and the notes that belong to it
 */
export async function convertArticle(
  items: ZoteroItem[],
  harvestedUrl: string,
  context: ArticleConversionContext,
  ports: ConvertArticlePorts,
): Promise<ArticleOutcome | undefined> {
  const { sourceId, entry } = context;
  const document = articleBase(context);
  const { url } = entry;
  const mode = context.run.deliveryMode;
  const knownAs = async (keys: string[]) => findKnownReason(keys, await ports.archive.knownReasons(keys));
  // Asked twice: before the conversion, whose lookups cost others, and after it, with all that the record says.
  const { doi, url: own = url } = identifyingFields(items[0]);
  const announced = { doi, urls: [url, own] };
  const knownBefore = await knownAs(buildArchiveKeys(announced, mode));
  if (knownBefore !== undefined) return { ...document, state: "known", as: knownBefore };
  const conversion = await convertZoteroItems(items, harvestedUrl, context, ports);
  if (conversion.type === "waiting") return undefined;
  if (conversion.type === "unconfigured") {
    return {
      ...document,
      state: "failed",
      reason: `source ${sourceId}, or its group, is no longer configured`,
    };
  }
  if (conversion.type === "dropped") {
    // What went wrong before may be why: a record that was not to be had would have said the issue.
    const reasons = [`${conversion.reason}: ${conversion.detail}`, ...truncateWarnings(context.warnings)];
    return { ...document, state: "dropped", reason: reasons.join("; ") };
  }
  const keys = buildArchiveKeys({ ...conversion, urls: [url, ...conversion.urls] }, mode);
  const knownAfter = await knownAs(keys);
  if (knownAfter !== undefined)
    return { ...document, state: "known", as: knownAfter, title: conversion.title };
  return storeRecord(document, conversion, { ...context, keys }, ports);
}

async function convertZoteroItems(
  items: ZoteroItem[],
  harvestedUrl: string,
  { runId, sourceId, response, warnings }: ArticleConversionContext,
  ports: ConvertArticlePorts,
) {
  const { sources, detectLanguage, clock, timeZone } = ports;
  const source = await sources.source(sourceId);
  const group = source === undefined ? undefined : await sources.group(source.groupId);
  if (source === undefined || group === undefined) return { type: "unconfigured" as const };
  const settings = await sources.settings();
  const context = { source: withJournalTitle(source, items[0]), group, settings, harvestedUrl, warnings };
  const preparedItems = await resolveItems(items, context, detectLanguage);
  const lookup = {
    runId,
    response,
    base: authorityLookupUrl(source, group, settings),
    userAgent: group.userAgent,
  };
  const authorities = await lookUpAuthorities(preparedItems.namesToLookUp, lookup, ports);
  if (authorities === undefined) return { type: "waiting" as const };
  const facts = { today: dayIn(timeZone, clock.now()), authorities };
  const [conversion] = writeRecords(preparedItems, context, facts);
  if (conversion === undefined) throw new Error("an item was converted to nothing");
  return { ...conversion, groupId: group.groupId, collectionId: source.collectionId ?? sourceId };
}

/** A source that is known by its address alone has the name that its articles give the journal. */
function withJournalTitle(source: Source, item: ZoteroItem | undefined): Source {
  const { publicationTitle } = item ?? {};
  return source.title === source.url && publicationTitle ? { ...source, title: publicationTitle } : source;
}

import { dayIn } from "../core/day.ts";
import type { ArchiveStore, SourceStore } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { InboundResponse } from "../web/gate/response.ts";
import { archiveKeys } from "./archive-keys.ts";
import { lookupBase } from "./authority/authority.ts";
import { type GatherPorts, gatherAuthorities } from "./authority/gather-authorities.ts";
import { toldWarnings } from "./convert/conversion.ts";
import { settleItems, writeRecords } from "./convert/convert.ts";
import type { DetectLanguage } from "./convert/languages.ts";
import type { FeedEntry } from "./feed/feed-entry.ts";
import { addressesOf, type ZoteroItem } from "./item.ts";
import { type KeepRecordPorts, keepRecord } from "./keep-record.ts";
import { reasonOf } from "./known.ts";
import type { DocumentOutcome, Run } from "./run.ts";

/** The context of an article's request, with the answer that its items were read from. */
export interface DocumentContext {
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

export interface ReadDocumentPorts extends GatherPorts, KeepRecordPorts {
  sources: SourceStore;
  archive: Pick<ArchiveStore, "known">;
  detectLanguage: DetectLanguage;
  timeZone: string;
}

/** What every outcome of a document says of it. */
export function documentOf({
  id,
  sourceId,
  entry: { url, title },
}: Pick<DocumentContext, "id" | "sourceId" | "entry">) {
  return { requestId: id, sourceId, url, ...(title !== undefined && { title }) };
}

/**
 * Makes a record of an item, or says why there is none; undefined while names have to be looked up.
 * @param items one, and the notes that belong to it
 */
export async function readDocument(
  items: ZoteroItem[],
  harvestedUrl: string,
  context: DocumentContext,
  ports: ReadDocumentPorts,
): Promise<DocumentOutcome | undefined> {
  const { sourceId, entry } = context;
  const document = documentOf(context);
  const { url } = entry;
  const mode = context.run.deliveryMode;
  const knownAs = async (keys: string[]) => reasonOf(keys, await ports.archive.known(keys));
  // Asked twice: before the conversion, whose lookups cost others, and after it, with all that the record says.
  const { doi, url: own = url } = addressesOf(items[0]);
  const announced = { doi, urls: [url, own] };
  const before = await knownAs(archiveKeys(announced, mode));
  if (before !== undefined) return { ...document, state: "known", as: before };
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
    // What went wrong before may be why: a record that was not to be had would have said the issue.
    const reasons = [`${conversion.reason}: ${conversion.detail}`, ...toldWarnings(context.warnings)];
    return { ...document, state: "dropped", reason: reasons.join("; ") };
  }
  const keys = archiveKeys({ ...conversion, urls: [url, ...conversion.urls] }, mode);
  const after = await knownAs(keys);
  if (after !== undefined) return { ...document, state: "known", as: after, title: conversion.title };
  return keepRecord(document, conversion, { ...context, keys }, ports);
}

async function convert(
  items: ZoteroItem[],
  harvestedUrl: string,
  { runId, sourceId, response, warnings }: DocumentContext,
  ports: ReadDocumentPorts,
) {
  const { sources, detectLanguage, clock, timeZone } = ports;
  const source = await sources.source(sourceId);
  const group = source === undefined ? undefined : await sources.group(source.groupId);
  if (source === undefined || group === undefined) return { type: "unconfigured" as const };
  const settings = await sources.settings();
  const context = { source: named(source, items[0]), group, settings, harvestedUrl, warnings };
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

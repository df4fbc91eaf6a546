import { inParallel } from "../core/in-parallel.ts";
import { truncateText } from "../core/truncate-text.ts";
import type { ZoteroItem } from "../metadata/zotero-item.ts";
import type { Group } from "../sources/group.ts";
import type { Authorities } from "./authorities.ts";
import { buildRecord, sortFields } from "./build-record.ts";
import { buildDropped, type Conversion, type Dropped, truncateWarnings } from "./conversion.ts";
import { addCustomFields } from "./custom-fields.ts";
import { attachNotes } from "./item-notes.ts";
import type { Detections, DetectLanguage } from "./languages.ts";
import { describeFailedLookups } from "./people.ts";
import { authorityLookupName } from "./person-names.ts";
import { type PreparationContext, type PreparedArticle, prepareItem } from "./prepare-item.ts";
import { filterRecord, findExcludingRecordFilter } from "./record-filters.ts";
import { recordHash } from "./record-hash.ts";
import { type ResolvedArticle, resolveArticle } from "./resolve-article.ts";
import { sanitizeRecord } from "./sanitize-record.ts";

export interface ConversionContext extends PreparationContext {
  group: Group;
  /** The page that the items come from. */
  harvestedUrl: string;
  /** Warnings from reading the items; they go before those of the conversion. */
  warnings?: readonly string[];
}

/** Data that are known only when the records are written. */
interface ConversionFacts {
  /** YYYY-MM-DD. */
  today: string;
  authorities?: Authorities;
}

/** Items after the first step. */
interface PreparedItems {
  prepared: (PreparedArticle | Dropped)[];
  /** The index of each among the input items, from 0; notes are attached to the item before them. */
  indexes: number[];
  /** Texts whose language `resolvePrepared` needs, each once. */
  textsToDetect: string[];
}

interface ResolvedItems {
  resolved: (ResolvedArticle | Dropped)[];
  /** As in `PreparedItems`. */
  indexes: number[];
  /** "Last, First", each once: names to look up in the authority file before `writeRecords`. */
  namesToLookUp: string[];
}

/** DOI and URLs of a record together: these are stored untruncated in its outcome. */
const maxUrlChars = 20_000;

/** Language detections at the same time. */
const maxParallelDetections = 4;

/** Prepares items and detects their languages: everything before the lookup of names and the writing of records. */
export async function resolveItems(
  items: readonly ZoteroItem[],
  context: PreparationContext,
  detect: DetectLanguage,
): Promise<ResolvedItems> {
  const preparation = prepareItems(items, context);
  const expected = context.source.expectedLanguages?.codes ?? [];
  const detections = await inParallel(
    preparation.textsToDetect,
    maxParallelDetections,
    async (text) => [text, await detect(text, expected)] as const,
  );
  return resolvePrepared(preparation, context, new Map(detections));
}

/** First step: everything that needs no external data. Notes are attached to the item before them. */
function prepareItems(items: readonly ZoteroItem[], context: PreparationContext): PreparedItems {
  const attached = attachNotes(items);
  const prepared = attached.map((one) =>
    one.type === "item" ? prepareItem(one.item, context) : buildDropped("malformed", one.detail),
  );
  const texts = prepared.map((one) => (one.type === "prepared" ? one.textToDetect : undefined));
  return { prepared, indexes: attached.map(({ index }) => index), textsToDetect: distinct(texts) };
}

/** Second step: languages, and names, which depend on the language. */
function resolvePrepared(
  { prepared, indexes }: PreparedItems,
  context: PreparationContext,
  detections: Detections,
): ResolvedItems {
  const resolved = prepared.map((one) =>
    one.type === "dropped" ? one : resolveArticle(one, context, detections),
  );
  const names = resolved.flatMap((one) =>
    one.type === "resolved" ? one.people.map(authorityLookupName) : [],
  );
  return { resolved, indexes, namesToLookUp: distinct(names) };
}

/** Last step: records with their hashes, in the order of the items. */
export function writeRecords(
  { resolved }: ResolvedItems,
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion[] {
  return resolved.map((one) => (one.type === "dropped" ? one : writeRecord(one, context, facts)));
}

/** All steps at once, without external lookups. */
export function convertItems(
  items: readonly ZoteroItem[],
  context: ConversionContext,
  facts: ConversionFacts & { detections?: Detections },
): Conversion[] {
  const resolvedItems = resolvePrepared(prepareItems(items, context), context, facts.detections ?? new Map());
  return writeRecords(resolvedItems, context, facts);
}

function writeRecord(
  resolved: ResolvedArticle,
  context: ConversionContext,
  { today, authorities = new Map() }: ConversionFacts,
): Conversion {
  const { source, group, settings, warnings = [] } = context;
  const chain = [settings.filters, source.filters];
  const record = buildRecord(resolved, { ...context, today, authorities });
  const templates = [...settings.filters.addFields, ...group.addFields, ...source.filters.addFields];
  addCustomFields(record, templates, resolved.article.notes);
  filterRecord(record, chain);
  const recordWarnings: string[] = [];
  sanitizeRecord(record, (warning) => recordWarnings.push(warning));
  const hash = recordHash(record);
  record.control.push(["001", `${group.groupId}#${today}#${hash}`]);
  sortFields(record);

  const exclusion = findExcludingRecordFilter(record, chain);
  if (exclusion !== undefined) return buildDropped("excluded-record", exclusion);
  const urls = record.fields.flatMap(([tag, , subfields]) => {
    const code = tag === "856" ? "u" : tag === "URL" ? "a" : undefined;
    return subfields.filter(([c]) => c === code).map(([, value]) => value);
  });
  const { title, doi } = resolved.article;
  const urlChars = [doi, ...urls].join("").length;
  if (urlChars > maxUrlChars)
    return buildDropped("malformed", `its DOI and URLs have ${urlChars} characters`);
  return {
    type: "converted",
    record,
    hash,
    title: truncateText(title),
    ...(doi && { doi }),
    ...(resolved.date !== undefined && { date: resolved.date }),
    urls: [...new Set(urls)],
    warnings: truncateWarnings([
      ...warnings,
      ...resolved.warnings,
      ...recordWarnings,
      ...describeFailedLookups(resolved.people, authorities),
    ]),
  };
}

function distinct(texts: (string | undefined)[]): string[] {
  return [...new Set(texts)].filter((text) => text !== undefined);
}

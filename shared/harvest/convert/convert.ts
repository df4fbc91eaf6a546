import { inParallel } from "../../core/in-parallel.ts";
import type { DetectLanguage } from "../../formats/language/detect-language.ts";
import { formatFirstDay } from "../../formats/stated-date.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import type { Group } from "../../records/sources/group.ts";
import type { Authorities } from "./authorities.ts";
import { buildRecord } from "./build-record.ts";
import { buildDropped, type Conversion, type Dropped } from "./conversion.ts";
import { finishRecord } from "./finish-record.ts";
import { attachNotes } from "./item-notes.ts";
import type { Detections } from "./languages.ts";
import { describeFailedLookups } from "./people.ts";
import { authorityLookupName } from "./person-names.ts";
import { type PreparationContext, type PreparedArticle, prepareItem } from "./prepare-item.ts";
import { type ResolvedArticle, resolveArticle } from "./resolve-article.ts";

export interface ConversionContext extends Omit<PreparationContext, "today"> {
  group: Group;
  /** The page that contains the items. */
  harvestedUrl: string;
  /** The texts of general notes (500). */
  generalNotes?: readonly string[];
  /** Warnings from reading the items. They precede the warnings of the conversion. */
  warnings?: readonly string[];
}

/** Data that are known only when the records are written. */
interface ConversionFacts {
  /** YYYY-MM-DD. */
  today: string;
  authorities?: Authorities;
}

/** The items after the first step. */
interface PreparedItems {
  prepared: (PreparedArticle | Dropped)[];
  /** The index of each item among the input items, from 0. Notes are attached to the item before them. */
  indexes: number[];
  /** The texts whose language `resolvePrepared` needs, each once. */
  textsToDetect: string[];
}

interface ResolvedItems {
  resolved: (ResolvedArticle | Dropped)[];
  /** The same as in `PreparedItems`. */
  indexes: number[];
  /** The names to look up in the authority file before `writeRecords`, as "Last, First", each once. */
  namesToLookUp: string[];
}

/** The number of languages that are detected at the same time. */
const maxParallelDetections = 4;

/**
 * Prepares items and detects their languages. These are all steps before the lookup of names and the writing of
 * records.
 */
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

/** First step: prepares everything that needs no external data. Notes are attached to the item before them. */
function prepareItems(items: readonly ZoteroItem[], context: PreparationContext): PreparedItems {
  const attached = attachNotes(items);
  const prepared = attached.map((one) =>
    one.type === "item" ? prepareItem(one.item, context) : buildDropped("malformed", one.detail),
  );
  const texts = prepared.map((one) => (one.type === "prepared" ? one.textToDetect : undefined));
  return { prepared, indexes: attached.map(({ index }) => index), textsToDetect: distinct(texts) };
}

/** Second step: determines the languages, and the names, which depend on the language. */
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

/** Last step: builds the records with their hashes, in the order of the items. */
export function writeRecords(
  { resolved }: ResolvedItems,
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion[] {
  return resolved.map((one) => (one.type === "dropped" ? one : writeRecord(one, context, facts)));
}

/** Carries out all steps at once, without external lookups. */
export function convertItems(
  items: readonly ZoteroItem[],
  context: ConversionContext,
  facts: ConversionFacts & { detections?: Detections },
): Conversion[] {
  const preparation = { ...context, today: facts.today };
  const prepared = prepareItems(items, preparation);
  const resolvedItems = resolvePrepared(prepared, preparation, facts.detections ?? new Map());
  return writeRecords(resolvedItems, context, facts);
}

function writeRecord(
  resolved: ResolvedArticle,
  context: ConversionContext,
  { today, authorities = new Map() }: ConversionFacts,
): Conversion {
  const { warnings = [] } = context;
  const { title, doi, notes } = resolved.article;
  return finishRecord(
    {
      record: buildRecord(resolved, { ...context, today, authorities }),
      title,
      ...(doi && { doi }),
      ...(resolved.date && { date: formatFirstDay(resolved.date) }),
      notes,
      warnings: [...warnings, ...resolved.warnings],
      lastWarnings: describeFailedLookups(resolved.people, authorities),
    },
    context,
    today,
  );
}

function distinct(texts: (string | undefined)[]): string[] {
  return [...new Set(texts)].filter((text) => text !== undefined);
}

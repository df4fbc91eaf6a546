import { inParallel } from "../../core/in-parallel.ts";
import type { Group } from "../../sources/group.ts";
import type { Authorities } from "../authority/authority.ts";
import type { ZoteroItem } from "../item.ts";
import { buildRecord, sortFields } from "./build-record.ts";
import { type Conversion, type Dropped, dropped, told, toldWarnings } from "./conversion.ts";
import { addCustomFields } from "./custom-fields.ts";
import { recordHash } from "./hash.ts";
import type { Detections, DetectLanguage } from "./languages.ts";
import { lookupName } from "./names.ts";
import { attachNotes } from "./notes.ts";
import { failedLookups } from "./people.ts";
import { type PreparationContext, type PreparedArticle, prepareItem } from "./prepare.ts";
import { excludingRecordFilter, filterRecord } from "./record-filters.ts";
import { type SettledArticle, settleArticle } from "./settle.ts";
import { soundRecord } from "./sound-record.ts";

export interface ConversionContext extends PreparationContext {
  group: Group;
  /** The page that the items were read from. */
  harvestedUrl: string;
  /** What is to be told of how the items were read. */
  warnings?: readonly string[];
}

/** What is known when the records are written. */
export interface ConversionFacts {
  /** YYYY-MM-DD. */
  today: string;
  authorities?: Authorities;
}

/** Items on their way to records, each by itself: one that is dropped touches no other. */
export interface Preparation {
  prepared: (PreparedArticle | Dropped)[];
  /** Where each stands among the items, from 0: notes have gone to the items before them. */
  indexes: number[];
  /** Each once: what `settlePrepared` wants to know the language of. */
  textsToDetect: string[];
}

export interface Settlement {
  settled: (SettledArticle | Dropped)[];
  /** As in the preparation. */
  indexes: number[];
  /** "Last, First", each once: what the authority file may be asked for before `writeRecords`. */
  namesToLookUp: string[];
}

/** Of the DOI and all addresses of a record together; they are told whole beside it. */
const mostAddressChars = 20_000;

/** Texts that a server is asked for at the same time. */
const detectionsAtOnce = 4;

/** Items to settled articles: all of a conversion but the authority file's part and the records. */
export async function settleItems(
  items: readonly ZoteroItem[],
  context: PreparationContext,
  detect: DetectLanguage,
): Promise<Settlement> {
  const preparation = prepareItems(items, context);
  const expected = context.source.expectedLanguages?.codes ?? [];
  const detections = await inParallel(
    preparation.textsToDetect,
    detectionsAtOnce,
    async (text) => [text, await detect(text, expected)] as const,
  );
  return settlePrepared(preparation, context, new Map(detections));
}

/** The first step: all that needs no answer from outside. Notes join the item before them. */
export function prepareItems(items: readonly ZoteroItem[], context: PreparationContext): Preparation {
  const attached = attachNotes(items);
  const prepared = attached.map((one) =>
    one.type === "item" ? prepareItem(one.item, context) : dropped("malformed", one.detail),
  );
  const texts = prepared.map((one) => (one.type === "prepared" ? one.textToDetect : undefined));
  return { prepared, indexes: attached.map(({ index }) => index), textsToDetect: distinct(texts) };
}

/** The second step: languages, and the names that depend on them. */
export function settlePrepared(
  { prepared, indexes }: Preparation,
  context: PreparationContext,
  detections: Detections,
): Settlement {
  const settled = prepared.map((one) =>
    one.type === "dropped" ? one : settleArticle(one, context, detections),
  );
  const names = settled.flatMap((one) => (one.type === "settled" ? one.people.map(lookupName) : []));
  return { settled, indexes, namesToLookUp: distinct(names) };
}

/** The last step: records with their hashes, in the order of the items. */
export function writeRecords(
  { settled }: Settlement,
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion[] {
  return settled.map((one) => (one.type === "dropped" ? one : writeRecord(one, context, facts)));
}

/** All steps at once, for those who ask nobody. */
export function convertItems(
  items: readonly ZoteroItem[],
  context: ConversionContext,
  facts: ConversionFacts & { detections?: Detections },
): Conversion[] {
  const settlement = settlePrepared(prepareItems(items, context), context, facts.detections ?? new Map());
  return writeRecords(settlement, context, facts);
}

function writeRecord(
  article: SettledArticle,
  context: ConversionContext,
  { today, authorities = new Map() }: ConversionFacts,
): Conversion {
  const { source, group, settings, warnings = [] } = context;
  const chain = [settings.filters, source.filters];
  const record = buildRecord(article, { ...context, today, authorities });
  const templates = [...settings.filters.addFields, ...group.addFields, ...source.filters.addFields];
  addCustomFields(record, templates, article.article.notes);
  filterRecord(record, chain);
  const written: string[] = [];
  soundRecord(record, (warning) => written.push(warning));
  const hash = recordHash(record);
  record.control.push(["001", `${group.groupId}#${today}#${hash}`]);
  sortFields(record);

  const exclusion = excludingRecordFilter(record, chain);
  if (exclusion !== undefined) return dropped("excluded-record", exclusion);
  const urls = record.fields.flatMap(([tag, , subfields]) => {
    const code = tag === "856" ? "u" : tag === "URL" ? "a" : undefined;
    return subfields.filter(([c]) => c === code).map(([, value]) => value);
  });
  const { title, doi } = article.article;
  const addressChars = [doi, ...urls].join("").length;
  if (addressChars > mostAddressChars)
    return dropped("malformed", `its DOI and addresses have ${addressChars} characters`);
  return {
    type: "converted",
    record,
    hash,
    title: told(title),
    ...(doi && { doi }),
    ...(article.date !== undefined && { date: article.date }),
    urls: [...new Set(urls)],
    warnings: toldWarnings([
      ...warnings,
      ...article.warnings,
      ...written,
      ...failedLookups(article.people, authorities),
    ]),
  };
}

function distinct(texts: (string | undefined)[]): string[] {
  return [...new Set(texts)].filter((text) => text !== undefined);
}

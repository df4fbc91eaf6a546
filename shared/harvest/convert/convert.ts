import type { Group } from "../../sources/group.ts";
import type { ZoteroItem } from "../item.ts";
import { buildRecord, sortFields } from "./build-record.ts";
import { type Conversion, type Dropped, dropped } from "./conversion.ts";
import { addCustomFields } from "./custom-fields.ts";
import { recordHash } from "./hash.ts";
import { lookupName } from "./names.ts";
import { attachNotes } from "./notes.ts";
import type { AuthorityNumbers } from "./people.ts";
import { type PreparationContext, type PreparedArticle, prepareItem } from "./prepare.ts";
import { excludingRecordFilter, filterRecord } from "./record-filters.ts";

export interface ConversionContext extends PreparationContext {
  group: Group;
  /** The page that the items were read from. */
  harvestedUrl: string;
}

/** What is known when the records are written. */
export interface ConversionFacts {
  /** YYYY-MM-DD. */
  today: string;
  authorityNumbers?: AuthorityNumbers;
}

/** Items on their way to records, each by itself: one that is dropped touches no other. */
export interface Preparation {
  prepared: (PreparedArticle | Dropped)[];
  /** "Last, First", each once: what the authority file may be asked for before `convertPrepared`. */
  namesToLookUp: string[];
}

/** The first half of a conversion: all that needs no answer from outside. Notes join the item before them. */
export function prepareItems(items: readonly ZoteroItem[], context: PreparationContext): Preparation {
  const prepared = attachNotes(items).map((one) =>
    one.type === "item" ? prepareItem(one.item, context) : dropped("malformed", one.detail),
  );
  const names = prepared.flatMap((one) => (one.type === "prepared" ? one.people.map(lookupName) : []));
  return { prepared, namesToLookUp: [...new Set(names)].filter((name) => name !== undefined) };
}

/** The second half: records with their hashes, in the order of the items. */
export function convertPrepared(
  preparation: Preparation,
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion[] {
  return preparation.prepared.map((one) => (one.type === "dropped" ? one : writeRecord(one, context, facts)));
}

/** Both halves at once, for those who look up no names. */
export function convertItems(
  items: readonly ZoteroItem[],
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion[] {
  return convertPrepared(prepareItems(items, context), context, facts);
}

/** One item, which has its notes in `notes`. */
export function convertItem(
  item: ZoteroItem,
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion {
  const [conversion] = convertItems([item], context, facts);
  return conversion ?? dropped("malformed", "no item");
}

function writeRecord(
  prepared: PreparedArticle,
  context: ConversionContext,
  facts: ConversionFacts,
): Conversion {
  const { source, group, settings } = context;
  const { article, warnings } = prepared;
  const chain = [settings.filters, source.filters];
  const record = buildRecord(prepared, { authorityNumbers: new Map(), ...context, ...facts });
  const templates = [...settings.filters.addFields, ...group.addFields, ...source.filters.addFields];
  addCustomFields(record, templates, article.notes);
  filterRecord(record, chain);
  const hash = recordHash(record);
  record.control.push(["001", `${group.groupId}#${facts.today}#${hash}`]);
  sortFields(record);

  const exclusion = excludingRecordFilter(record, chain);
  if (exclusion !== undefined) return dropped("excluded-record", exclusion);
  const urls = record.fields.flatMap(([tag, , subfields]) => {
    const code = tag === "856" ? "u" : tag === "URL" ? "a" : undefined;
    return subfields.filter(([c]) => c === code).map(([, value]) => value);
  });
  return {
    type: "converted",
    record,
    hash,
    title: article.title,
    ...(article.doi && { doi: article.doi }),
    urls: [...new Set(urls)],
    warnings,
  };
}

import { chooseLanguageDetector } from "../../../shared/adapters/tika/choose-detector.ts";
import { dayIn } from "../../../shared/core/day.ts";
import { identifyingFields, type ZoteroItem } from "../../../shared/formats/zotero-item.ts";
import { authorityLookupUrl } from "../../../shared/harvest/authority/authority.ts";
import { buildDropped, type Conversion } from "../../../shared/harvest/convert/conversion.ts";
import {
  type ConversionContext,
  resolveItems,
  writeRecords,
} from "../../../shared/harvest/convert/convert.ts";
import {
  convertDocument,
  crosswalkFormat,
} from "../../../shared/harvest/convert/crosswalks/convert-document.ts";
import type { InProcessGate } from "../harvest/in-process-gate.ts";
import { lookUpAuthorities } from "../harvest/look-up-authorities.ts";
import type { FileDocument } from "./document-file.ts";
import type { ItemGroup } from "./item-file.ts";

/** An entry of the input: an item with its notes, or a document. */
export interface Entry {
  /** The entry as it is in the input. */
  content: string | Uint8Array;
  convert(): Promise<PlacedConversion[]>;
}

/** `place`: the position and name of the item, which warnings report. */
export type PlacedConversion = Conversion & { place: string };

/** The formats of documents, with the crosswalk of each format. */
export const documentFormats = {
  oai_dc: "dublin-core",
  oai_qdc: "dublin-core",
  mods: "mods",
  marcxml: "marcxml",
} as const;
export type DocumentFormat = keyof typeof documentFormats;

/** Yields documents. Documents that are not in the given format are dropped. */
export async function* documentEntries(
  documents: AsyncIterable<FileDocument> | Iterable<FileDocument>,
  from: DocumentFormat,
  context: ConversionContext,
): AsyncGenerator<Entry> {
  for await (const { content, place } of documents) {
    if ("problem" in content) {
      const dropped = buildDropped("malformed", content.problem);
      yield { content: content.problem, convert: async () => [{ ...dropped, place }] };
      continue;
    }
    const { raw } = content;
    yield { content: raw, convert: async () => [{ ...convertRaw(raw, from, context), place }] };
  }
}

function convertRaw(raw: string, from: DocumentFormat, context: ConversionContext): Conversion {
  const found = crosswalkFormat(raw);
  return found !== undefined && found !== documentFormats[from]
    ? buildDropped("no-crosswalk", `it is ${found}, not ${from}`)
    : convertDocument(raw, context, today());
}

/** Yields items, each with its notes. Their names are looked up through the gate. */
export async function* itemEntries(
  groups: AsyncIterable<ItemGroup>,
  context: ConversionContext,
  { tika, gate }: { tika: URL | undefined; gate: InProcessGate },
): AsyncGenerator<Entry> {
  const { source, group, settings } = context;
  const detect = chooseLanguageDetector(tika);
  const base = authorityLookupUrl(source, group, settings);
  for await (const { position, items } of groups) {
    // The conversion drops what has not the shape of an item.
    const read = items.map(({ item }) => item as ZoteroItem);
    yield {
      content: Buffer.concat(items.map(({ bytes }) => bytes)),
      async convert() {
        const day = today();
        const resolved = await resolveItems(read, { ...context, today: day }, detect);
        const authorities = await lookUpAuthorities(resolved.namesToLookUp, base, gate);
        const conversions = writeRecords(resolved, context, { today: day, authorities });
        return conversions.map((one, at) => {
          const index = resolved.indexes[at] ?? at;
          const problem = items[index]?.problem;
          const place = describeItem(read[index], position + index);
          return { ...(problem === undefined ? one : buildDropped("malformed", problem)), place };
        });
      },
    };
  }
}

/** Returns the current date in the time zone of the machine. */
function today(): string {
  return dayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date());
}

/** Describes an item by its position in the file, its title and its URL. */
function describeItem(item: ZoteroItem | undefined, index: number): string {
  const { title, url } = identifyingFields(item);
  const names = [title, url && `<${url}>`].flatMap((name) => (name ? [` ${name.slice(0, 100)}`] : []));
  return `item ${index + 1}${names.join("")}`;
}

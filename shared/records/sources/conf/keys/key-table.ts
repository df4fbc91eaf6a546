import type { IniEntry } from "../ini.ts";
import type { SectionReader } from "../section-reader.ts";

/** A key as the reference page shows it. Texts are Markdown. */
export interface DocumentedKey {
  /** With the part that the operator chooses in capitals: `add_marc_field_NAME`. */
  key: string;
  isRequired?: true;
  meaning: string;
  /** The permitted values. */
  values: string;
  /** As the file would have it. */
  default?: string | undefined;
  example?: string | undefined;
}

/** Keys and values of a section in the order of an export; what is undefined is left out. */
export type Entries = [key: string, value: string | number | boolean | undefined][];

/** Yields the key that set a field, given the path by which a schema names it; undefined for another table's field. */
type KeyLookup = (path: readonly PropertyKey[]) => string | undefined;

/** Keys of one form. All that is known of a key comes from its row in such a table. A section has one table or more. */
export interface KeyTable {
  rows: readonly DocumentedKey[];
  has(key: string): boolean;
  /** The fields that the section sets. What is wrong is noted in the reader. */
  read(reader: SectionReader): Record<string, unknown>;
  /** The entries that import to the same fields. */
  print(item: object): Entries;
  /** For the entries of a section: which key set a field. */
  buildLookup(entries: ReadonlyMap<string, IniEntry>): KeyLookup;
}

/** The tables of one kind of section, in the order of an export. */
export type SectionKeys = readonly KeyTable[];

export function isKnownKey(tables: SectionKeys, key: string): boolean {
  return tables.some((table) => table.has(key));
}

export function readFields(tables: SectionKeys, reader: SectionReader): Record<string, unknown> {
  return Object.assign({}, ...tables.map((table) => table.read(reader)));
}

export function printFields(tables: SectionKeys, item: object): Entries {
  return tables.flatMap((table) => table.print(item));
}

/** The line of an entry of a section; undefined for its header. */
export function buildKeyLookup(tables: SectionKeys, entries: ReadonlyMap<string, IniEntry>): KeyLookup {
  const lookups = tables.map((table) => table.buildLookup(entries));
  return (path) => {
    for (const lookup of lookups) {
      const key = lookup(path);
      if (key !== undefined) return key;
    }
    return undefined;
  };
}

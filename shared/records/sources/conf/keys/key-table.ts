import type { IniEntry } from "../ini.ts";
import type { SectionReader } from "../section-reader.ts";

/** A key as the reference page shows it. All texts are Markdown. */
export interface DocumentedKey {
  /** The key, with the part that the operator chooses in capitals: `add_marc_field_NAME`. */
  key: string;
  isRequired?: true;
  meaning: string;
  /** The permitted values. */
  values: string;
  /** The default as it would be written in the file. */
  default?: string | undefined;
  example?: string | undefined;
}

/** Keys and values of a section, in the order of an export. Undefined values are left out. */
export type Entries = [key: string, value: string | number | boolean | undefined][];

/**
 * Returns the key that set a field, given the path by which a schema names the field. Returns undefined for a field of
 * another table.
 */
type KeyLookup = (path: readonly PropertyKey[]) => string | undefined;

/**
 * Keys of the same form. All properties of a key come from its row in such a table. A section has one or more tables.
 */
export interface KeyTable {
  rows: readonly DocumentedKey[];
  has(key: string): boolean;
  /** Reads the fields that the section sets. Problems are added to the reader. */
  read(reader: SectionReader): Record<string, unknown>;
  /** Returns the entries whose import results in the same fields. */
  print(item: object): Entries;
  /** Builds the lookup of the key that set a field, for the entries of a section. */
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

/**
 * Builds a lookup of the line of a field's entry in a section. The lookup returns undefined for the header of the
 * section.
 */
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

import type { FieldRow } from "../../core/field-table.ts";

/** A field of a source or group. */
export interface ConfigurationRow extends FieldRow {
  /**
   * Set for a field that a `zotero_harvester.conf` cannot set. Operators set it, and imports keep it. Its description
   * in the documents says so.
   */
  isOperators?: true;
  fields?: ConfigurationTable;
}

export type ConfigurationTable = Readonly<Record<string, ConfigurationRow>>;

/** Returns the fields that operators set, including those within other fields. */
export function operatorRows(table: ConfigurationTable): ConfigurationTable {
  const rows = Object.entries(table).flatMap(([name, row]): [string, ConfigurationRow][] => {
    if (row.isOperators) return [[name, row]];
    const fields = operatorRows(row.fields ?? {});
    return Object.keys(fields).length === 0 ? [] : [[name, { ...row, fields }]];
  });
  return Object.fromEntries(rows);
}

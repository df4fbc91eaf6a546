import type { FieldRow } from "../../core/field-table.ts";

/** A field of a source or group. */
export interface ConfigurationRow extends FieldRow {
  /** No `zotero_harvester.conf` can set it: operators do, and imports keep it. Its description says so in the documents. */
  isOperators?: true;
  fields?: ConfigurationTable;
}

export type ConfigurationTable = Readonly<Record<string, ConfigurationRow>>;

/** The fields that operators set, also those within a field. */
export function operatorRows(table: ConfigurationTable): ConfigurationTable {
  const rows = Object.entries(table).flatMap(([name, row]): [string, ConfigurationRow][] => {
    if (row.isOperators) return [[name, row]];
    const fields = operatorRows(row.fields ?? {});
    return Object.keys(fields).length === 0 ? [] : [[name, { ...row, fields }]];
  });
  return Object.fromEntries(rows);
}

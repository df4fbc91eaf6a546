import type { ConfigurationKind } from "./configuration.ts";
import { type ConfigurationTable, operatorRows } from "./configuration-fields.ts";
import { groupFields } from "./group-fields.ts";
import { sourceFields } from "./source-fields.ts";

/** A field that a `zotero_harvester.conf` cannot set. Operators set it, and imports keep it. */
interface OperatorField {
  /** The path of the field, such as `throttleMs` or `crawl.maxPages`. */
  path: string;
  /** The meaning of the field, in Markdown. */
  meaning: string;
}

/** The fields of sources that operators set. */
export const sourceOperatorRows = operatorRows(sourceFields);

export const operatorFields: Readonly<Record<ConfigurationKind, readonly OperatorField[]>> = {
  settings: [],
  group: fieldsOf(operatorRows(groupFields)),
  source: fieldsOf(sourceOperatorRows),
};

function fieldsOf(table: ConfigurationTable, prefix = ""): OperatorField[] {
  return Object.entries(table).flatMap(([name, { schema, fields }]) =>
    fields === undefined
      ? [{ path: prefix + name, meaning: schema.description ?? "" }]
      : fieldsOf(fields, `${prefix}${name}.`),
  );
}

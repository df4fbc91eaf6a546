import type { ConfigurationKind } from "./configuration.ts";
import { type ConfigurationTable, operatorRows } from "./configuration-fields.ts";
import { groupFields } from "./group-fields.ts";
import { sourceFields } from "./source-fields.ts";

/** A field that no `zotero_harvester.conf` can set: operators set it, imports keep it. */
interface OperatorField {
  /** `throttleMs` or `crawl.maxPages`. */
  path: string;
  /** Markdown. */
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

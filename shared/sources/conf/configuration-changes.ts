import { isDeepStrictEqual } from "node:util";
import type { ConfigurationItem } from "../configuration.ts";
import { operatorFields } from "./operator-fields.ts";

/** What becomes of one item. */
export type ConfigurationChange =
  | { type: "added"; item: ConfigurationItem }
  /** `fields`: the names of those that differ. */
  | { type: "changed"; item: ConfigurationItem; before: ConfigurationItem; fields: string[] }
  | { type: "removed"; item: ConfigurationItem };

/**
 * What leads from the stored items to the wanted ones. An item that is not wanted is removed when an import has written
 * it; what was written by other means (a demo, an operator) is nobody's to take away.
 */
export function diffConfiguration(
  stored: ConfigurationItem[],
  wanted: ConfigurationItem[],
): ConfigurationChange[] {
  const before = new Map(stored.map((item) => [nameOf(item), item]));
  const changes: ConfigurationChange[] = [];
  for (const given of wanted) {
    const known = before.get(nameOf(given));
    const item = known === undefined ? given : { ...given, value: withOperatorFields(given, known) };
    if (known === undefined) changes.push({ type: "added", item });
    else {
      const fields = differingFields(known.value, item.value);
      if (fields.length > 0) changes.push({ type: "changed", item, before: known, fields });
    }
  }
  const isWanted = new Set(wanted.map(nameOf));
  const unwanted = stored.filter((item) => item.version !== undefined && !isWanted.has(nameOf(item)));
  return [...changes, ...unwanted.map((item): ConfigurationChange => ({ type: "removed", item }))];
}

function withOperatorFields(given: ConfigurationItem, known: ConfigurationItem): ConfigurationItem["value"] {
  const value = structuredClone(given.value);
  for (const path of operatorFields[given.kind]) {
    const [field, inner] = path.split(".") as [string, string?];
    if (inner === undefined) copyIfSet(value, known.value, field);
    else if (isObject(value[field]) && isObject(known.value[field]))
      copyIfSet(value[field], known.value[field], inner);
  }
  return value;
}

type Fields = Record<string, unknown>;

function copyIfSet(value: Fields, known: Fields, field: string): void {
  if (known[field] !== undefined) value[field] = known[field];
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function differingFields(before: ConfigurationItem["value"], after: ConfigurationItem["value"]): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => !isDeepStrictEqual(asStored(before[field]), asStored(after[field])));
}

/** A value as it comes back from a store: without what is undefined. */
function asStored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function nameOf({ kind, id }: ConfigurationItem): string {
  return `${kind} ${id}`;
}

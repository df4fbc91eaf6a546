import { isDeepStrictEqual } from "node:util";
import type { ConfigurationItem } from "../configuration.ts";
import { keepOperatorSettings } from "./operator-settings.ts";

/** The change of one item. */
export type ConfigurationChange =
  | { type: "added"; item: ConfigurationItem }
  /** `fields` contains the names of the fields that differ. */
  | { type: "changed"; item: ConfigurationItem; before: ConfigurationItem; fields: string[] }
  | { type: "removed"; item: ConfigurationItem };

/**
 * Returns the changes that lead from the stored items to the wanted items. An item that is not wanted is removed only
 * if an import has written it. Items that were written by other means (such as the demo) are kept. Items that operators
 * have added are unchanged, and their groups are kept.
 */
export function diffConfiguration(
  stored: ConfigurationItem[],
  wanted: ConfigurationItem[],
): ConfigurationChange[] {
  const before = new Map(stored.map((item) => [nameOf(item), item]));
  const changes: ConfigurationChange[] = [];
  for (const given of wanted) {
    const known = before.get(nameOf(given));
    if (known?.addedBy === "api") continue;
    const item = known === undefined ? given : { ...given, value: keepOperatorSettings(given, known) };
    if (known === undefined) changes.push({ type: "added", item });
    else {
      const fields = differingFields(known.value, item.value);
      if (fields.length > 0) changes.push({ type: "changed", item, before: known, fields });
    }
  }
  const isWanted = new Set(wanted.map(nameOf));
  const neededGroups = new Set(
    stored.filter(({ addedBy }) => addedBy === "api").map(({ value }) => value.groupId),
  );
  const unwanted = stored.filter(
    (item) =>
      item.version !== undefined &&
      item.addedBy !== "api" &&
      !isWanted.has(nameOf(item)) &&
      !(item.kind === "group" && neededGroups.has(item.id)),
  );
  return [...changes, ...unwanted.map((item): ConfigurationChange => ({ type: "removed", item }))];
}

export function differingFields(
  before: ConfigurationItem["value"],
  after: ConfigurationItem["value"],
): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter((field) => !isDeepStrictEqual(asStored(before[field]), asStored(after[field])));
}

/** Returns a value as it would be read from a store: without undefined fields. */
function asStored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function nameOf({ kind, id }: ConfigurationItem): string {
  return `${kind} ${id}`;
}

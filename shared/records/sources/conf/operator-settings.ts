import { isDeepStrictEqual } from "node:util";
import type { ConfigurationItem } from "../configuration.ts";
import { fieldAt, setField } from "../field-path.ts";
import { group } from "../group.ts";
import { operatorFields } from "../operator-fields.ts";
import { source } from "../source.ts";
import { knownGroupMarks } from "./group-marks.ts";

type Item = Pick<ConfigurationItem, "kind" | "id" | "value">;

/**
 * Returns the paths of the operator fields of an item whose values differ from those that an import alone would store.
 */
export function findOperatorSettings(item: Item): string[] {
  const { kind, value } = item;
  const imported = withoutOperatorSettings(item);
  return operatorFields[kind]
    .map(({ path }) => path)
    .filter((path) => {
      const set = fieldAt(value, path);
      return set !== undefined && !isDeepStrictEqual(set, fieldAt(imported, path));
    });
}

/** Returns the item as an import alone would store it. The result is empty when that item is not valid. */
function withoutOperatorSettings({ kind, id, value }: Item): object {
  const bare = structuredClone(value);
  for (const { path } of operatorFields[kind]) setField(bare, path, undefined);
  if (kind === "settings") return bare;
  const parsed =
    kind === "group" ? group.safeParse({ ...bare, ...knownGroupMarks.get(id) }) : source.safeParse(bare);
  return parsed.data ?? {};
}

/** Returns the wanted value with the operator fields of the stored value. */
export function keepOperatorSettings(
  wanted: ConfigurationItem,
  stored: ConfigurationItem,
): ConfigurationItem["value"] {
  const value = structuredClone(wanted.value);
  for (const { path } of operatorFields[wanted.kind]) {
    const set = fieldAt(stored.value, path);
    if (set !== undefined) setField(value, path, set);
  }
  return value;
}

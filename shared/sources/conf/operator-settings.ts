import { isDeepStrictEqual } from "node:util";
import type { ConfigurationItem } from "../configuration.ts";
import { group } from "../group.ts";
import { operatorFields } from "../operator-fields.ts";
import { source } from "../source.ts";
import { knownGroupMarks } from "./group-marks.ts";

type Item = Pick<ConfigurationItem, "kind" | "id" | "value">;

/** The paths of the operator fields of an item that differ from what an import alone would store. */
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

/** The item as an import alone would store it; empty when that is not valid. */
function withoutOperatorSettings({ kind, id, value }: Item): Record<string, unknown> {
  const bare = structuredClone(value);
  for (const { path } of operatorFields[kind]) {
    const [field, inner] = path.split(".") as [string, string?];
    if (inner === undefined) delete bare[field];
    else if (isObject(bare[field])) delete bare[field][inner];
  }
  if (kind === "settings") return bare;
  const parsed =
    kind === "group" ? group.safeParse({ ...bare, ...knownGroupMarks.get(id) }) : source.safeParse(bare);
  return parsed.data ?? {};
}

/** The wanted value with the operator fields of the stored one. */
export function keepOperatorSettings(
  wanted: ConfigurationItem,
  stored: ConfigurationItem,
): ConfigurationItem["value"] {
  const value = structuredClone(wanted.value);
  for (const { path } of operatorFields[wanted.kind]) {
    const [field, inner] = path.split(".") as [string, string?];
    if (inner === undefined) copyIfSet(value, stored.value, field);
    else if (isObject(value[field]) && isObject(stored.value[field]))
      copyIfSet(value[field], stored.value[field], inner);
  }
  return value;
}

type Fields = Record<string, unknown>;

function copyIfSet(to: Fields, from: Fields, field: string): void {
  if (from[field] !== undefined) to[field] = from[field];
}

function fieldAt(value: Fields, path: string): unknown {
  const [field, inner] = path.split(".") as [string, string?];
  const whole = value[field];
  if (inner === undefined) return whole;
  return isObject(whole) ? whole[inner] : undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

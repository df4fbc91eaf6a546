import { isDeepStrictEqual } from "node:util";
import type { ConfigurationItem, ConfigurationKind } from "../configuration.ts";
import { group } from "../group.ts";
import { source } from "../source.ts";
import { sourceOperatorFields } from "../source-change.ts";
import { knownGroupMarks } from "./group-marks.ts";

/** What a `zotero_harvester.conf` cannot say, as paths of fields: an import leaves it as operators have set it. */
export const operatorFields: Readonly<Record<ConfigurationKind, readonly string[]>> = {
  settings: [],
  group: [
    "recipients",
    "destination",
    "recordsPerFile",
    "zederInstance",
    "subjectMark",
    "localMark",
    "linkedAuthorMark",
  ],
  source: sourceOperatorFields,
};

type Item = Pick<ConfigurationItem, "kind" | "id" | "value">;

/** Which of these fields an item has otherwise than an import alone would make it; none is told of settings. */
export function operatorFieldsSet(item: Item): string[] {
  const { kind, value } = item;
  const imported = asImported(item);
  return operatorFields[kind].filter((path) => {
    const set = fieldAt(value, path);
    return set !== undefined && !isDeepStrictEqual(set, fieldAt(imported, path));
  });
}

/** The item without what operators have set; of one that is not valid, nothing is known. */
function asImported({ kind, id, value }: Item): Record<string, unknown> {
  const bare = structuredClone(value);
  for (const path of operatorFields[kind]) {
    const [field, inner] = path.split(".") as [string, string?];
    if (inner === undefined) delete bare[field];
    else if (isObject(bare[field])) delete bare[field][inner];
  }
  if (kind === "settings") return bare;
  const parsed =
    kind === "group" ? group.safeParse({ ...bare, ...knownGroupMarks.get(id) }) : source.safeParse(bare);
  return parsed.data ?? {};
}

function fieldAt(value: Record<string, unknown>, path: string): unknown {
  const [field, inner] = path.split(".") as [string, string?];
  const whole = value[field];
  if (inner === undefined) return whole;
  return isObject(whole) ? whole[inner] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

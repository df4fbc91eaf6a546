import type { NewFilters } from "../filters.ts";
import type { SectionReader } from "./section-reader.ts";

type Kind = keyof NewFilters;

/** The longer of two prefixes stands first. */
const prefixes: [string, Kind][] = [
  ["suppress_json_field_", "suppressJson"],
  ["override_json_field_", "overrideJson"],
  ["exclude_if_json_field_", "excludeJson"],
  ["add_marc_field_if_", "addFieldsIf"],
  ["add_marc_field_", "addFields"],
  ["remove_marc_field_", "removeFields"],
  ["remove_marc_subfield_", "removeSubfields"],
  ["exclude_if_marc_field_", "excludeMarc"],
  ["rewrite_marc_field_if_", "rewriteFieldsIf"],
  ["rewrite_marc_field_", "rewriteFields"],
];

/** The filter that a key sets, and its target: what follows the prefix. */
export function filterKey(key: string): { kind: Kind; target: string } | undefined {
  const found = prefixes.find(([prefix]) => key.startsWith(prefix));
  return found && { kind: found[1], target: key.slice(found[0].length) };
}

/** The kinds that a group may have; a subgroup has none. */
export const groupFilters: readonly Kind[] = ["addFields"];

/** The key of a filter. */
export function filterPrefix(kind: Kind): string {
  return prefixes.find(([, one]) => one === kind)?.[0] ?? "";
}

/** The repeatable entries of a section as filters, of these kinds alone where they are given; a bad one is noted and left out. */
export function readFilters(reader: SectionReader, kinds?: readonly Kind[]): NewFilters {
  const read: Partial<Record<Kind, unknown[]>> = {};
  for (const [key, { value }] of reader.entries) {
    const found = filterKey(key);
    if (!found || kinds?.includes(found.kind) === false) continue;
    const filter = readFilter(found.kind, found.target, value);
    if (typeof filter === "object" && "problem" in filter) reader.refuse(key, filter.problem);
    else {
      read[found.kind] ??= [];
      read[found.kind]?.push(filter);
    }
  }
  return read as NewFilters;
}

function readFilter(kind: Kind, target: string, value: string): object | string | { problem: string } {
  switch (kind) {
    case "suppressJson":
    case "excludeJson":
      return { field: target, pattern: value };
    case "overrideJson":
      return { field: target, replacement: value };
    case "addFields":
      return value;
    case "removeFields":
    case "removeSubfields":
      if (target.length !== 4)
        return { problem: `invalid removal filter name '${target}'! expected format: <tag><subfield_code>` };
      return { ...splitTarget(target), pattern: value };
    case "excludeMarc":
      return isTarget(target)
        ? { ...splitTarget(target), pattern: value }
        : badTarget("exclusion field", target);
    case "rewriteFields":
      return isTarget(target) ? readRewrite(target, value) : badTarget("rewrite field", target);
    case "addFieldsIf":
    case "rewriteFieldsIf":
      return isTarget(target) ? readConditional(target, value) : badTarget("field", target);
  }
}

function readRewrite(target: string, value: string): object {
  const [pattern, ...replacement] = value.split(" ||| ");
  if (replacement.length === 0) return { problem: `invalid rewrite expression '${value}'` };
  return { ...splitTarget(target), pattern, replacement: replacement.join(" ||| ") };
}

function readConditional(target: string, value: string): object {
  const colon = value.indexOf(":");
  const test = value.slice(0, Math.max(colon, 0));
  if (!isTarget(test)) return badTarget("test field", test);
  const rewrite = readRewrite(target, value.slice(colon + 1));
  return "problem" in rewrite ? rewrite : { ...rewrite, test: splitTarget(test) };
}

function isTarget(text: string): boolean {
  return text.length === 3 || text.length === 4;
}

function splitTarget(text: string): { tag: string; code?: string } {
  const code = text.slice(3);
  return { tag: text.slice(0, 3), ...(code && { code }) };
}

function badTarget(what: string, name: string): { problem: string } {
  return { problem: `invalid ${what} name '${name}'! expected format: <tag> or <tag><subfield_code>` };
}

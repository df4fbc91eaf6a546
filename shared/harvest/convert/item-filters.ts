import { compilePattern } from "../../core/pattern.ts";
import type { ZoteroItem } from "../../formats/zotero-item.ts";
import type { Filters } from "../../records/sources/filters.ts";

/** The filters of the settings, followed by those of the source. */
export type FilterChain = readonly Filters[];

/**
 * Applies the filters to the string values of an item, at any depth: first those that suppress, then those that
 * override. A missing field is not added.
 */
export function filterItem(item: ZoteroItem, chain: FilterChain): ZoteroItem {
  const suppress = chain.flatMap((filters) => filters.suppressJson);
  const override = chain.flatMap((filters) => filters.overrideJson);
  if (suppress.length + override.length === 0) return item;
  return mapTexts(item, (field, text) => {
    let value = text;
    for (const filter of suppress)
      if (filter.field === field && compilePattern(filter.pattern).matcher(value).find()) value = "";
    for (const filter of override)
      if (filter.field === field) value = filter.replacement.replaceAll("%org%", () => value);
    return value;
  }) as ZoteroItem;
}

/** Returns the first filter that matches a string value of the item, as `field/pattern/`. */
export function findExcludingItemFilter(item: ZoteroItem, chain: FilterChain): string | undefined {
  for (const { field, pattern } of chain.flatMap((filters) => filters.excludeJson)) {
    const matches = (text: string) => compilePattern(pattern).matcher(text).find();
    if (findLeafTexts(item, field).some(matches)) return `${field}/${pattern}/`;
  }
  return undefined;
}

/** Maps the strings of a value, at any depth. A string in an array has the name of the array. */
function mapTexts(value: unknown, change: (field: string, text: string) => string, name = ""): unknown {
  if (typeof value === "string") return change(name, value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => [field, mapTexts(child, change, field)]),
  );
}

function findLeafTexts(value: unknown, field: string, name = ""): string[] {
  if (typeof value === "string") return name === field ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((element) => findLeafTexts(element, field, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([childName, child]) => findLeafTexts(child, field, childName));
}

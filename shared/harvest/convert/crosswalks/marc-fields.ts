import { collapseSpace } from "../../../formats/plain-text.ts";
import type { DataField, Subfield } from "../../../marc/record.ts";

/** Builds a field from the subfields that have a value. Returns nothing when no subfield has a value. */
export function marcField(
  tag: string,
  indicators: string,
  ...subfields: (readonly [code: string, value: string | undefined])[]
): DataField[] {
  const filled = subfields.flatMap(([code, value]): Subfield[] => {
    const text = collapseSpace(value ?? "");
    return text === "" ? [] : [[code, text]];
  });
  return filled.length === 0 ? [] : [[tag, indicators, filled]];
}

/** Builds a subfield for each value. */
export function repeated(code: string, values: readonly string[]): (readonly [string, string])[] {
  return values.map((value) => [code, value]);
}

/** Returns the fields without repetitions, in their order. */
export function withoutRepetitions(fields: readonly DataField[]): DataField[] {
  return [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
}

import { collapseSpace } from "../../../formats/plain-text.ts";
import type { DataField, Subfield } from "../../../marc/record.ts";

/** A field of the subfields that have a value; none without any. */
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

/** A subfield for each value. */
export function repeated(code: string, values: readonly string[]): (readonly [string, string])[] {
  return values.map((value) => [code, value]);
}

/** The same fields once each, in their order. */
export function withoutRepetitions(fields: readonly DataField[]): DataField[] {
  return [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
}

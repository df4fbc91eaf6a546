import type { DataField, Subfield } from "../../marc/record.ts";
import { subfieldMark } from "../../records/sources/filters.ts";

/** Returns indicators and subfields as one string, which the filters match. */
export function formatFieldContent([, indicators, subfields]: DataField): string {
  return indicators + subfields.map(([code, value]) => subfieldMark + code + value).join("");
}

/** Parses indicators and subfields from one string. */
export function parseFieldContent(tag: string, content: string): DataField {
  const [indicators = "", ...subfields] = content.split(subfieldMark);
  return [
    tag,
    indicators.padEnd(2).slice(0, 2),
    subfields.filter(Boolean).map((subfield): Subfield => [subfield.slice(0, 1), subfield.slice(1)]),
  ];
}

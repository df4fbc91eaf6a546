import { isDeepStrictEqual } from "node:util";
import type { MarcRecord } from "../../marc/record.ts";

/** The fields with one tag in which two versions of a record differ, in their order. `LDR` is the leader. */
export interface FieldChange {
  tag: string;
  /** Each field as text, such as `10 $a Title $b rest`; empty when the version has none. */
  before: string[];
  after: string[];
}

/** Returns the record with the number of the delivered record, and the status of a corrected record. */
export function asUpdate(delivered: MarcRecord, record: MarcRecord): MarcRecord {
  const number = delivered.control.filter(([tag]) => tag === "001");
  const { leader } = record;
  return {
    leader: `${leader.slice(0, 5)}c${leader.slice(6)}`,
    control: [...number, ...record.control.filter(([tag]) => tag !== "001")],
    fields: record.fields,
  };
}

/** Compares two versions of a record by tag, without the number (001), the status and the lengths in the leader. */
export function compareRecords(before: MarcRecord, after: MarcRecord): FieldChange[] {
  const [linesBefore, linesAfter] = [linesByTag(before), linesByTag(after)];
  const tags = [...new Set([...linesBefore.keys(), ...linesAfter.keys()])].sort();
  return tags.flatMap((tag) => {
    const change = { tag, before: linesBefore.get(tag) ?? [], after: linesAfter.get(tag) ?? [] };
    return isDeepStrictEqual(change.before, change.after) ? [] : [change];
  });
}

function linesByTag({ leader, control, fields }: MarcRecord): Map<string, string[]> {
  const lines = new Map([["LDR", [`${leader.slice(6, 12)} ${leader.slice(17, 20)}`]]]);
  const add = (tag: string, line: string) => lines.set(tag, [...(lines.get(tag) ?? []), line]);
  for (const [tag, value] of control) if (tag !== "001") add(tag, value);
  for (const [tag, indicators, subfields] of fields) {
    const texts = subfields.map(([code, value]) => `$${code} ${value}`);
    add(tag, [indicators.replaceAll(" ", "_"), ...texts].join(" "));
  }
  return lines;
}

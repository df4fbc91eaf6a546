import { expect, it } from "vitest";
import { type LabelledRecord, writeConverted } from "../../../../local/cli/commands/record-output.ts";
import type { Subfield } from "../../../../shared/marc/record.ts";

function placed(place: string, subfields: Subfield[]): LabelledRecord {
  const record = {
    leader: "00000nab a22004452  4500",
    control: [],
    fields: [["245", "10", subfields] as [string, string, Subfield[]]],
  };
  return { record, hash: "", place };
}

it.each(["marcxml", "iso2709"] as const)(
  "%s: a record that the format cannot carry → its reason and place; the others are written",
  (format) => {
    const written: Uint8Array[] = [];
    const write = (part: string | Uint8Array) => written.push(Buffer.from(part)) > 0;
    const records = [placed("Good", [["a", "Good"]]), placed("Bad", [["é", "Bad"]]), placed("Empty", [])];
    const problems = writeConverted(records, format, { write });
    expect(problems).toEqual([expect.stringMatching(/ \(Bad\)$/), expect.stringMatching(/ \(Empty\)$/)]);
    const text = Buffer.concat(written).toString();
    expect(text).toContain("Good");
    expect(text).not.toContain("Bad");
  },
);

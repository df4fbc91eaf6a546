import { expect, it } from "vitest";
import { RecordWriter } from "../../../../local/cli/commands/record-output.ts";
import type { Subfield } from "../../../../shared/marc/record.ts";

function recordOf(subfields: Subfield[]) {
  const record = {
    leader: "00000nab a22004452  4500",
    control: [],
    fields: [["245", "10", subfields] as [string, string, Subfield[]]],
  };
  return { record, hash: "" };
}

it.each(["marcxml", "iso2709"] as const)(
  "%s: a record that the format cannot carry → its reason; the others are written",
  (format) => {
    const writer = new RecordWriter(format);
    const problems = [[["a", "Good"]], [["é", "Bad"]], []].map((subfields) =>
      writer.add(recordOf(subfields as Subfield[])),
    );
    expect(problems).toEqual([
      undefined,
      expect.stringMatching(/^no-marc: /),
      expect.stringMatching(/^no-marc: /),
    ]);
    const text = Buffer.concat([writer.take(), writer.end()]).toString();
    expect(text).toContain("Good");
    expect(text).not.toContain("Bad");
  },
);

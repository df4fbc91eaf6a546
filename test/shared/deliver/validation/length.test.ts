import { expect, it } from "vitest";
import { validateRecord } from "../../../../shared/deliver/validation/validate-record.ts";
import { writeIso2709 } from "../../../../shared/marc/iso2709-writer.ts";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";

function recordWith(...fields: DataField[]): MarcRecord {
  return {
    leader: "00000nab a22004452  4500",
    control: [
      ["001", "R1"],
      ["003", "DE-1"],
      ["007", "cr|||||"],
    ],
    fields: [
      ["245", "00", [["a", "T"]]],
      ...fields,
      [
        "936",
        "uw",
        [
          ["d", "1"],
          ["e", "2"],
        ],
      ],
    ],
  };
}

const abstract = (text: string): DataField => ["520", "  ", [["a", text]]];
const authors = (count: number) =>
  Array.from({ length: count }, (): DataField => ["700", "1 ", [["a", "x".repeat(76)]]]);

// 24 + 2 for leader and ends; per field 12 in the directory, and 5 beside its text.
it.for<[string, string | undefined, MarcRecord]>([
  ["a field of 9 999 bytes", undefined, recordWith(abstract("x".repeat(9_994)))],
  [
    "a field of 10 000 bytes",
    "520: the field has 10000 of 9999 possible bytes",
    recordWith(abstract("x".repeat(9_995))),
  ],
  ["a field of 9 999 bytes in umlauts", undefined, recordWith(abstract("ä".repeat(4_997)))],
  [
    "a field of 10 001 bytes in umlauts",
    "520: the field has 10001 of 9999 possible bytes",
    recordWith(abstract("ä".repeat(4_998))),
  ],
  [
    "two fields of 9 000 bytes",
    undefined,
    recordWith(abstract("x".repeat(8_995)), abstract("x".repeat(8_995))),
  ],
  ["1 000 authors", undefined, recordWith(...authors(1_000))],
  ["1 100 authors", "LDR: the record has 102417 of 99999 possible bytes", recordWith(...authors(1_100))],
])("%s → %j", ([, reason, record]) => {
  const { findings } = validateRecord(record);
  expect(findings.map((finding) => finding.reason)).toEqual(reason === undefined ? [] : [reason]);
  expect(writeIso2709(record).type).toBe(reason === undefined ? "written" : "too-long");
});

it("a control field of 10 000 bytes → refused too", () => {
  const record = recordWith();
  record.control.push(["008", "x".repeat(9_999)]);
  const { findings } = validateRecord(record);
  expect(findings.map(({ reason }) => reason)).toEqual(["008: the field has 10000 of 9999 possible bytes"]);
});

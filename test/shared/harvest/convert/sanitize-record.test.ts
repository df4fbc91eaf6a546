import { expect, it } from "vitest";
import { recordHash } from "../../../../shared/harvest/convert/record-hash.ts";
import { sanitizeRecord } from "../../../../shared/harvest/convert/sanitize-record.ts";
import { parseIso2709 } from "../../../../shared/marc/iso2709-reader.ts";
import { writeIso2709 } from "../../../../shared/marc/iso2709-writer.ts";
import { readMarcXml } from "../../../../shared/marc/marcxml-reader.ts";
import { writeMarcXml } from "../../../../shared/marc/marcxml-writer.ts";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";

const marked: DataField = ["245", "00", [["a", "one\u001fbtwo"]]];
const spoilt: DataField = ["520", "  ", [["a", "x\u0001y\u001ez\nend"]]];

function recordOf(...fields: DataField[]): MarcRecord {
  return {
    leader: "00000nab a22004452  4500",
    control: [["007", "tu"]],
    fields: structuredClone(fields),
  };
}

it("a subfield mark in a value → a subfield; other control characters → blanks, and a warning", () => {
  const record = recordOf(marked, spoilt);
  const warnings: string[] = [];
  sanitizeRecord(record, (warning) => warnings.push(warning));
  expect(record.fields).toEqual([
    [
      "245",
      "00",
      [
        ["a", "one"],
        ["b", "two"],
      ],
    ],
    ["520", "  ", [["a", "x y z\nend"]]],
  ]);
  expect(warnings).toEqual([expect.stringMatching(/^520 \$a has invalid characters \(U\+0001, U\+001E\)/)]);
});

it("a subfield mark in a value → the hash is as before", () => {
  const record = recordOf(marked);
  sanitizeRecord(record, () => {});
  expect(recordHash(record)).toBe(recordHash(recordOf(marked)));
});

it("what filters have written into a record → the same in ISO 2709 and MARCXML", async () => {
  const record = recordOf(marked, spoilt);
  sanitizeRecord(record, () => {});
  const { fields } = record;
  const written = writeIso2709(record);
  const bytes = written.type === "written" ? written.bytes : new Uint8Array();
  expect(parseIso2709(bytes)).toMatchObject({ type: "record", record: { fields } });
  const read = [];
  for await (const outcome of readMarcXml([Buffer.from(writeMarcXml([record]))])) read.push(outcome);
  expect(read).toMatchObject([{ type: "record", record: { fields } }]);
});

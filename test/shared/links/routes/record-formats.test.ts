import { describe, expect, it } from "vitest";
import { formatRecord } from "../../../../shared/links/routes/record-formats.ts";
import { parseIso2709 } from "../../../../shared/marc/iso2709-reader.ts";
import type { MarcRecord } from "../../../../shared/marc/record.ts";

const record: MarcRecord = {
  leader: "00000naa a2200000uc 4500",
  control: [["001", "IxTheo#1"]],
  fields: [
    [
      "245",
      "10",
      [
        ["a", "Über Bienen :"],
        ["b", "and\nwasps"],
      ],
    ],
    ["650", " 7", [["a", "Bees $ more"]]],
  ],
};

function textOf(format: Parameters<typeof formatRecord>[1]): string {
  const formatted = formatRecord(record, format);
  if (formatted.type === "too-long") throw new Error(formatted.reason);
  return typeof formatted.body === "string" ? formatted.body : new TextDecoder().decode(formatted.body);
}

describe("a record in", () => {
  it("text/plain → a field per line, indicators and subfield codes visible", () => {
    expect(textOf("text/plain").split("\n")).toEqual([
      "00000naa a2200000uc 4500",
      "001 IxTheo#1",
      "245 10 $a Über Bienen : $b and wasps",
      "650  7 $a Bees $ more",
      "",
    ]);
  });

  it("application/marc+json → MARC-in-JSON, fields in order", () => {
    expect(JSON.parse(textOf("application/marc+json"))).toEqual({
      leader: "00000naa a2200000uc 4500",
      fields: [
        { "001": "IxTheo#1" },
        { "245": { ind1: "1", ind2: "0", subfields: [{ a: "Über Bienen :" }, { b: "and\nwasps" }] } },
        { "650": { ind1: " ", ind2: "7", subfields: [{ a: "Bees $ more" }] } },
      ],
    });
  });

  it("application/marc → ISO 2709 that reads back", () => {
    const formatted = formatRecord(record, "application/marc");
    if (formatted.type !== "formatted") throw new Error("too long");
    const { control, fields } = record;
    expect(parseIso2709(formatted.body as Uint8Array)).toMatchObject({ record: { control, fields } });
  });

  it.each(["application/marcxml+xml", "application/xml", "text/xml"] as const)("%s → MARCXML", (format) => {
    expect(textOf(format)).toContain('<subfield code="a">Über Bienen :</subfield>');
  });

  it("application/marc, longer than ISO 2709 holds → says so", () => {
    const long: MarcRecord = { ...record, fields: [["520", "  ", [["a", "x".repeat(10_000)]]]] };
    expect(formatRecord(long, "application/marc")).toMatchObject({
      type: "too-long",
      reason: expect.stringContaining("field 520"),
    });
  });
});

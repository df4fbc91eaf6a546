import { describe, expect, test } from "vitest";
import { bibliographicFields } from "../../../shared/marc/bibliographic-fields.ts";

describe("the fields of MARC 21", () => {
  test("every line of the table → a tag, and no subfield in both lists or twice in one", () => {
    for (const [tag, { nonRepeatableCodes, repeatableCodes }] of bibliographicFields) {
      const codes = [...nonRepeatableCodes, ...repeatableCodes];
      expect(tag).toMatch(/^\d{3}$/);
      expect(codes.join(""), tag).toMatch(/^[a-z0-9]*$/);
      expect(new Set(codes).size, tag).toBe(codes.length);
    }
    expect([...bibliographicFields.keys()]).toEqual([...bibliographicFields.keys()].sort());
  });

  test.each([
    ["001", false],
    ["007", true],
    ["008", false],
    ["040", false],
    ["100", false],
    ["245", false],
    ["264", true],
    ["650", true],
    ["773", true],
    ["856", true],
  ])("%s → repeatable: %s", (tag, repeatable) => {
    expect(bibliographicFields.get(tag)?.repeatable).toBe(repeatable);
  });
});

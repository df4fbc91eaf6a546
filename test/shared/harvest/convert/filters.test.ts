import { describe, expect, it } from "vitest";
import { filterItem, findExcludingItemFilter } from "../../../../shared/harvest/convert/item-filters.ts";
import {
  filterRecord,
  findExcludingRecordFilter,
} from "../../../../shared/harvest/convert/record-filters.ts";
import { recordHash } from "../../../../shared/harvest/convert/record-hash.ts";
import type { DataField, MarcRecord } from "../../../../shared/marc/record.ts";
import { filters, type NewFilters } from "../../../../shared/records/sources/filters.ts";

import { item } from "./fixtures.ts";

describe("filterItem", () => {
  it.for<[string, NewFilters, object, object]>([
    [
      "a value that matches → emptied",
      { suppressJson: [{ field: "pages", pattern: "^e" }] },
      { pages: "e12" },
      { pages: "" },
    ],
    [
      "an override → with the original",
      { overrideJson: [{ field: "pages", replacement: "1-%org%" }] },
      { pages: "9" },
      { pages: "1-9" },
    ],
    [
      "both → the override of nothing",
      {
        suppressJson: [{ field: "pages", pattern: "." }],
        overrideJson: [{ field: "pages", replacement: "x%org%" }],
      },
      { pages: "9" },
      { pages: "x" },
    ],
    [
      "nested values → too",
      { suppressJson: [{ field: "tag", pattern: "^junk$" }] },
      { tags: [{ tag: "junk", type: 1 }, { tag: "keep" }] },
      { tags: [{ tag: "", type: 1 }, { tag: "keep" }] },
    ],
    [
      "a field that is missing → stays missing",
      { overrideJson: [{ field: "archive", replacement: "x" }] },
      {},
      {},
    ],
  ])("%s", ([, filter, before, after]) => {
    expect(filterItem({ ...item, ...before }, [filters.parse(filter)])).toEqual({ ...item, ...after });
  });

  it("the settings' filters before the source's → in a chain", () => {
    const chain = ["a%org%", "b%org%"].map((replacement) =>
      filters.parse({ overrideJson: [{ field: "pages", replacement }] }),
    );
    expect(filterItem({ ...item, pages: "1" }, chain).pages).toBe("ba1");
  });

  it("an excluded value → the filter that matches", () => {
    const chain = [filters.parse({ excludeJson: [{ field: "itemType", pattern: "^webpage$" }] })];
    expect(findExcludingItemFilter({ ...item, itemType: "webpage" }, chain)).toBe("itemType/^webpage$/");
    expect(findExcludingItemFilter(item, chain)).toBeUndefined();
  });
});

const fields: DataField[] = [
  ["100", "1 ", [["a", "Doe, Jane"]]],
  ["264", " 1", [["c", "2021"]]],
  [
    "650",
    " 4",
    [
      ["a", "bees"],
      ["a", "junk"],
    ],
  ],
  ["650", " 4", [["a", "wasps"]]],
];

describe("filterRecord", () => {
  it.for<[string, NewFilters, string, DataField[]]>([
    [
      "remove → fields with any match",
      { removeFields: [{ tag: "650", code: "a", pattern: "junk" }] },
      "650",
      [["650", " 4", [["a", "wasps"]]]],
    ],
    [
      "remove a subfield → the rest stays",
      { removeSubfields: [{ tag: "650", code: "a", pattern: "junk" }] },
      "650",
      [
        ["650", " 4", [["a", "bees"]]],
        ["650", " 4", [["a", "wasps"]]],
      ],
    ],
    [
      "remove the only subfield → no field",
      { removeSubfields: [{ tag: "650", code: "a", pattern: "." }] },
      "650",
      [],
    ],
    [
      "rewrite to nothing → no field",
      { rewriteFields: [{ tag: "264", pattern: "^.*$", replacement: "" }] },
      "264",
      [],
    ],
    [
      "rewrite → the first match",
      { rewriteFields: [{ tag: "264", code: "c", pattern: "2(0)", replacement: "<\\1\\\\>" }] },
      "264",
      [["264", " 1", [["c", "<0\\>21"]]]],
    ],
    [
      "rewrite a whole field → indicators and subfields",
      { rewriteFields: [{ tag: "264", pattern: "^ 1\u001fc(.*)$", replacement: "00\\037a\\1\\037bx" }] },
      "264",
      [
        [
          "264",
          "00",
          [
            ["a", "2021"],
            ["b", "x"],
          ],
        ],
      ],
    ],
    [
      "add if → with the code of the test",
      {
        addFieldsIf: [
          {
            tag: "699",
            code: "a",
            test: { tag: "264", code: "c" },
            pattern: "(.*)",
            replacement: "Year \\1",
          },
        ],
      },
      "699",
      [["699", "  ", [["c", "Year 2021"]]]],
    ],
    [
      "add if on a whole field → content as it is",
      { addFieldsIf: [{ tag: "699", test: { tag: "100" }, pattern: "(.*)", replacement: "\\1\\037kTest" }] },
      "699",
      [
        [
          "699",
          "1 ",
          [
            ["a", "Doe, Jane"],
            ["k", "Test"],
          ],
        ],
      ],
    ],
    [
      "add if without a match → nothing",
      { addFieldsIf: [{ tag: "699", test: { tag: "245" }, pattern: ".", replacement: "x" }] },
      "699",
      [],
    ],
    [
      "rewrite if → from the other field",
      {
        rewriteFieldsIf: [
          {
            tag: "264",
            code: "c",
            test: { tag: "100", code: "a" },
            pattern: "^(\\w+).*",
            replacement: "\\1!",
          },
        ],
      },
      "264",
      [["264", " 1", [["c", "Doe!"]]]],
    ],
  ])("%s", ([, filter, tag, expected]) => {
    const record = recordOf(fields);
    filterRecord(record, [filters.parse(filter)]);
    expect(record.fields.filter(([t]) => t === tag)).toEqual(expected);
  });

  it.for([
    [{ tag: "650", code: "a", pattern: "^bees$" }, "650a/^bees$/"],
    [{ tag: "650", pattern: "junk$" }, "650/junk$/"],
    [{ tag: "650", code: "b", pattern: "." }, undefined],
  ] as const)("exclusion by %j → %s", ([filter, expected]) => {
    expect(findExcludingRecordFilter(recordOf(fields), [filters.parse({ excludeMarc: [filter] })])).toBe(
      expected,
    );
  });
});

describe("recordHash", () => {
  const hash = recordHash(recordOf(fields));

  it.for<[string, MarcRecord, boolean]>([
    ["fields in another order", recordOf(fields.toReversed()), true],
    [
      "a local field more",
      recordOf([...fields, ["935", "  ", [["a", "x"]]], ["JOU", "  ", [["a", "x"]]]]),
      true,
    ],
    ["another 001", { ...recordOf(fields), control: [["001", "other"]] }, true],
    ["another length in the leader", { ...recordOf(fields), leader: "00999nab a22004452  4500" }, true],
    ["another type in the leader", { ...recordOf(fields), leader: "00000nam a22004452  4500" }, false],
    ["another indicator", recordOf([["100", "0 ", [["a", "Doe, Jane"]]], ...fields.slice(1)]), false],
  ])("%s → counts, or not", ([, record, isSame]) => {
    expect(recordHash(record) === hash).toBe(isSame);
  });

  it("a small record → SHA-1 in upper case", () => {
    expect(recordHash({ leader: "00000nab a22004452  4500", control: [["003", "DE-1"]], fields: [] })).toBe(
      "0044AD13AA7FFE535E9EAD10EB6786CD2DAC6D47",
    );
  });
});

function recordOf(dataFields: DataField[]): MarcRecord {
  return { leader: "00000nab a22004452  4500", control: [["001", "x"]], fields: structuredClone(dataFields) };
}

import { describe, expect, test } from "vitest";
import { validationRule } from "../../../../shared/deliver/validation/rule.ts";
import { compileRules } from "../../../../shared/deliver/validation/rule-set.ts";
import { validateBySourceInRecord } from "../../../../shared/deliver/validation/validate-from-record.ts";
import { validateRecord } from "../../../../shared/deliver/validation/validate-record.ts";
import type { DataField } from "../../../../shared/marc/record.ts";
import { finalPages, numbering, record, title } from "./sample-records.ts";

test.each(["", "  ", "\u00a0"])("a title of nothing but %j → missing", (text) => {
  const blank = record(numbering, ["245", "00", [["a", text]]]);
  const { findings } = validateRecord(blank, { rules: compileRules([]) });
  expect(findings.map(({ reason, level }) => `${level ?? "-"} | ${reason}`)).toEqual([
    "standard | subfield 245$a is missing",
  ]);
});

test.each([
  ["names no source", []],
  ["names an unknown source", [["ZID", "  ", [["a", "9"]]] as DataField]],
])("a record that %s → that first, beside what else is wrong", (_title, fields) => {
  const sources = new Set(["1"]);
  const { findings } = validateBySourceInRecord(record(numbering, ...fields), {
    sources,
    rules: compileRules([]),
  });
  expect(findings.map(({ ruleId }) => ruleId)).toEqual(["unknown-source", "missing-title"]);
});

describe("a body instead of a person", () => {
  const rules = compileRules(
    ["100", "700", "936"].flatMap((tag) =>
      (tag === "936" ? ["d", "e"] : ["a"]).map((subfield) =>
        validationRule.parse({ tag, subfield, presence: tag === "100" ? "always" : "sometimes" }),
      ),
    ),
  );
  const name = (tag: string): DataField => [tag, "2 ", [["a", "Rat der EKD"]]];
  test.each<[string, string[], string[]]>([
    ["a person", ["100"], []],
    ["a body as author", ["110"], []],
    ["a conference as author", ["111"], []],
    ["a body beside a person", ["100", "710"], []],
    ["a name of unknown kind beside a person", ["100", "720"], []],
    ["no author", [], ["required-field"]],
    ["a body that is not the author", ["710"], ["required-field"]],
    ["a field of another kind", ["100", "730"], ["unknown-field"]],
  ])("%s, where the rules know persons → %3$j", (_what, tags, ruleIds) => {
    const { findings } = validateRecord(record(numbering, title, ...tags.map(name)), { rules });
    expect(findings.map(({ ruleId }) => ruleId)).toEqual(ruleIds);
  });
});

describe("online-first", () => {
  const cases: [condition: string, fields: DataField[], outcome: string][] = [
    ["volume and issue", [numbering], "valid"],
    ["volume only", [["936", "uw", [["d", "12"]]]], "valid"],
    ["issue only", [["936", "uw", [["e", "3"]]]], "valid"],
    ["neither", [["936", "uw", [["h", "1-20"]]]], "online_first"],
    ["no 936", [], "online_first"],
    [
      "volume and issue empty",
      [
        [
          "936",
          "uw",
          [
            ["d", ""],
            ["e", " "],
          ],
        ],
      ],
      "online_first",
    ],
    ["volume N/A", [["936", "uw", [["d", " N/A "]]]], "online_first"],
    [
      "issue n/a",
      [
        [
          "936",
          "uw",
          [
            ["d", "12"],
            ["e", "n/a"],
          ],
        ],
      ],
      "online_first",
    ],
    ["final pages", [["936", "uw", [["h", "1-20"]]], finalPages], "valid"],
    ["final page", [["936", "uw", [["h", "7"]]], finalPages], "valid"],
    ["an article number for pages", [["936", "uw", [["h", "e12"]]], finalPages], "online_first"],
    ["five digits for pages", [["936", "uw", [["h", "12345"]]], finalPages], "online_first"],
    ["final pages not given", [["936", "uw", [["j", "2021"]]], finalPages], "online_first"],
  ];
  test.each(cases)("%s → %s", (_, fields, outcome) => {
    expect(validateRecord(record(title, ...fields)).outcome).toBe(outcome);
  });

  test("an online-first record with other faults → online-first, no findings", () => {
    expect(validateRecord({ ...record(finalPages), control: [] })).toEqual({
      outcome: "online_first",
      findings: [],
    });
  });
});

import { describe, expect, test } from "vitest";
import { ruleKey, validationRule, validationRules } from "../../../shared/validation/rule.ts";

const rule = { tag: "245", subfield: "a", presence: "ALWAYS" };

describe("rules as they are written", () => {
  test("a rule without source and type → for regular articles of all sources", () => {
    expect(validationRule.parse(rule)).toEqual({ ...rule, recordType: "regular" });
    expect(ruleKey(validationRule.parse(rule))).toBe("* regular 245 a");
  });

  test.each<[condition: string, rules: unknown[], path: PropertyKey[], message: RegExp]>([
    ["a tag of two characters", [{ ...rule, tag: "24" }], [0, "tag"], /three digits or capital letters/],
    [
      "a data field without subfield",
      [{ ...rule, subfield: undefined }],
      [0, "subfield"],
      /needs a subfield code/,
    ],
    ["a control field with subfield", [{ ...rule, tag: "008" }], [0, "subfield"], /control field has none/],
    ["a code of two characters", [{ ...rule, subfield: "ab" }], [0, "subfield"], /one character/],
    ["another presence", [{ ...rule, presence: "often" }], [0, "presence"], /ALWAYS/],
    ["another type of record", [{ ...rule, recordType: "book" }], [0, "recordType"], /non_article/],
    ["a pattern that is none", [{ ...rule, pattern: "(" }], [0, "pattern"], /failed to compile/],
    ["a pattern that needs backtracking", [{ ...rule, pattern: "a(?=b)" }], [0, "pattern"], /lookaround/],
    [
      "the same subfield twice",
      [rule, { ...rule, presence: "IGNORE" }],
      [1],
      /second rule for \* regular 245 a/,
    ],
  ])("%s → refused at its place", (_, rules, path, message) => {
    const issues = validationRules.safeParse(rules).error?.issues;
    expect(issues?.[0]).toMatchObject({ path, message: expect.stringMatching(message) });
  });

  test("the same subfield for another source or another type → accepted", () => {
    const rules = [
      rule,
      { ...rule, sourceId: "s1" },
      { ...rule, recordType: "review" },
      { ...rule, subfield: "b" },
    ];
    expect(validationRules.safeParse(rules).success).toBe(true);
  });
});

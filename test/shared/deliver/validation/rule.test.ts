import { describe, expect, test } from "vitest";
import { ruleKey, validationRule, validationRules } from "../../../../shared/deliver/validation/rule.ts";

const rule = { tag: "245", subfield: "a", presence: "always" };

describe("rules as they are written", () => {
  test("a rule without source and type → for regular articles of all sources", () => {
    expect(validationRule.parse(rule)).toEqual({ ...rule, source: null, recordType: "regular", regex: null });
    expect(ruleKey(validationRule.parse(rule))).toBe("* regular 245 a");
  });

  test.each<[condition: string, rules: unknown[], path: PropertyKey[], message: RegExp]>([
    ["a tag of two characters", [{ ...rule, tag: "24" }], [0, "tag"], /three digits or capital letters/],
    ["the leader as a tag", [{ ...rule, tag: "LDR" }], [0, "tag"], /no field has this tag/],
    ["the tag 000", [{ ...rule, tag: "000", subfield: null }], [0, "tag"], /no field has this tag/],
    ["a code that MARC has not", [{ ...rule, subfield: "é" }], [0, "subfield"], /no subfield has this code/],
    ["a code beyond U+FFFF", [{ ...rule, subfield: "😀" }], [0, "subfield"], /no subfield has this code/],
    ["a source without end", [{ ...rule, source: "s".repeat(201) }], [0, "source"], /200 characters/],
    [
      "a pattern without end",
      [{ ...rule, regex: "a".repeat(10_001) }],
      [0, "regex"],
      /at most 10000 characters/,
    ],
    [
      "a data field without subfield",
      [{ ...rule, subfield: undefined }],
      [0, "subfield"],
      /needs a subfield code/,
    ],
    ["a control field with subfield", [{ ...rule, tag: "008" }], [0, "subfield"], /control field has none/],
    ["a code of two characters", [{ ...rule, subfield: "ab" }], [0, "subfield"], /one character/],
    ["another presence", [{ ...rule, presence: "often" }], [0, "presence"], /always/],
    ["another type of record", [{ ...rule, recordType: "book" }], [0, "recordType"], /non_article/],
    ["a name that no rule has", [{ ...rule, pattern: "a" }], [0], /pattern/],
    ["an invalid pattern", [{ ...rule, regex: "(" }], [0, "regex"], /failed to compile/],
    ["a pattern that needs backtracking", [{ ...rule, regex: "a(?=b)" }], [0, "regex"], /lookaround/],
    [
      "the same subfield twice",
      [rule, { ...rule, presence: "ignore" }],
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
      { ...rule, source: "s1" },
      { ...rule, recordType: "review" },
      { ...rule, subfield: "b" },
    ];
    expect(validationRules.safeParse(rules).success).toBe(true);
  });
});

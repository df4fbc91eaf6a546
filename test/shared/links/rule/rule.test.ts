import { describe, expect, it } from "vitest";
import { InputError } from "../../../../shared/core/errors.ts";
import { digestedValues } from "../../../../shared/core/field-table.ts";
import { compileRule, readRule } from "../../../../shared/links/rule/rule.ts";
import { linkRuleFields } from "../../../../shared/links/rule/rule-fields.ts";
import { ruleWarnings } from "../../../../shared/links/rule/rule-warnings.ts";
import { cpuMsOf } from "../../../cpu-time.ts";

function refusalOf(input: unknown): InputError | undefined {
  try {
    readRule(input);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

describe("readRule", () => {
  it.each([
    { title: "nothing but a title", rule: { title: "Papers Past" } },
    { title: "empty texts", rule: { xpath: "", statusCodes: " ", throttleSeconds: 0 } },
    { title: "plain statuses", rule: { statusCodes: "301,302" } },
    { title: "patterns with spaces", rule: { statusCodes: "300, 2.." } },
    { title: "alternatives and classes", rule: { statusCodes: "30[12]|4\\d\\d,5.*" } },
    { title: "the longest throttle", rule: { throttleSeconds: 3600 } },
    { title: "a final address", rule: { finalUrl: "https://a\\.example/(home)?" } },
    { title: "an XPath", rule: { xpath: '//h1/span[text()[contains(.,"boost")]]' } },
  ])("$title → accepted, active unless it says otherwise", ({ rule }) => {
    expect(readRule(rule)).toEqual({ ...rule, active: true });
  });

  it.each([
    ["statusCodes", "[", "missing closing ]"],
    ["statusCodes", "*", "missing argument to repetition"],
    ["statusCodes", "301,,302", "a pattern is empty"],
    ["statusCodes", "301,", "a pattern is empty"],
    ["statusCodes", "20", "matches no status of three digits"],
    ["statusCodes", "4xx", "matches no status of three digits"],
    ["statusCodes", "(?=4)..", "lookaround"],
    ["statusCodes", "(.)\\1.", "back-reference"],
    ["statusCodes", 404, "expected string"],
    ["statusCodes", "4..,".repeat(126), "Too big"],
    ["statusCodes", "301;302", "matches no status of three digits"],
    ["statusCodes", "３０１", "matches no status of three digits"],
    ["statusCodes", "(?<!3)..", "lookaround"],
    ["statusCodes", "(?P<x>4)(?P=x).", "back-reference"],
    ["statusCodes", "4{1001}", "repeat count"],
    ["statusCodes", "!404", "matches no status of three digits"],
    ["statusCodes", null, "expected string"],
    ["finalUrl", "(a", "missing closing )"],
    ["finalUrl", "(?=a)b", "lookaround"],
    ["finalUrl", "a".repeat(501), "Too big"],
    ["finalUrl", 7, "expected string"],
    ["xpath", "//p[", "unexpected end"],
    ["xpath", "//p]", 'unexpected "]" at character 4'],
    ["xpath", "//p[@class='error]", "the string at character 12 has no end"],
    ["xpath", "//p[hasClass('error')]", "unknown function hasClass()"],
    ["xpath", "//dc:title", "prefix dc: is not bound"],
    ["xpath", "//p[$x]", "variables"],
    ["xpath", "count(1) > 0", "count() needs a node-set, not a number"],
    ["xpath", "contains('a')", "does not take 1 arguments"],
    ["xpath", "matches(., 'a')", "unknown function matches()"],
    ["xpath", "constructor()", "unknown function constructor()"],
    ["xpath", "'a'/b", "/ needs a node-set, not a string"],
    ["xpath", "//p | 1", "| needs a node-set, not a number"],
    ["xpath", "sideways::p", "unknown axis sideways::"],
    ["xpath", "//p#x", '"#" at character 4'],
    ["xpath", "(".repeat(1000), "more than 50 nested brackets"],
    ["xpath", "//p".repeat(1000), "Too big"],
    ["throttleSeconds", -1, "Too small"],
    ["throttleSeconds", 3601, "Too big"],
    ["throttleSeconds", "3", "expected number"],
    ["throttleSeconds", Number.NaN, "received NaN"],
    ["throttleSeconds", Number.POSITIVE_INFINITY, "expected number"],
    ["xpath", "//p[1", "unexpected end"],
    ["xpath", "//p[@]", "unexpected"],
    ["xpath", "//", "unexpected end"],
    ["xpath", "not(//p", "unexpected end"],
    ["xpath", "//p[last()]]", "unexpected"],
    ["active", "yes", "expected boolean"],
    ["title", 7, "expected string"],
  ])("%s: %j → refused: %s", (field, value, problem) => {
    const refusal = refusalOf({ [field]: value });
    expect(refusal?.field).toBe(field);
    expect(refusal?.value).toBe(value);
    expect(refusal?.message).toContain(problem);
  });

  it.each([
    ["an unknown field", { statuscodes: "404" }, "statuscodes"],
    ["a list", [], "expected object"],
    ["null", null, "expected object"],
  ])("%s → refused", (_title, input, problem) => {
    expect(refusalOf(input)?.message).toContain(problem);
  });
});

describe("compileRule", () => {
  it("the same patterns again → computed once", () => {
    const rule = { statusCodes: "301,4..,50." };
    expect(compileRule(rule).brokenStatuses).toBe(compileRule({ ...rule }).brokenStatuses);
  });

  it.each([
    ["301,302", [301, 302], [300, 303]],
    ["301,4..,50.", [301, 403, 499, 503, 509], [200, 302, 510]],
    ["300, 2..", [300, 200, 201, 299], [301]],
    ["30[12]|41.", [301, 302, 410], [300, 303]],
    ["999", [999], [998]],
    ["", [], [200, 301, 404, 500]],
  ])("%j → names %j and not %j", (statusCodes, named, others) => {
    const { brokenStatuses } = compileRule({ statusCodes });
    expect(named.filter((status) => brokenStatuses.has(status))).toEqual(named);
    expect(others.filter((status) => brokenStatuses.has(status))).toEqual([]);
  });

  it.each(["", "  ", undefined])("XPath %j → none", (xpath) => {
    expect(compileRule(xpath === undefined ? {} : { xpath }).xpath).toBeUndefined();
  });

  it("a pattern with exponential backtracking → compiled at once", () => {
    expect(cpuMsOf(() => compileRule({ statusCodes: "(2*)*(2*)*(2*)*0.?" }))).toBeLessThan(2000);
  });
});

describe("ruleWarnings", () => {
  it.each([
    ["true()", 1],
    ["1", 1],
    ['"x"', 1],
    ["/*", 1],
    ["//html", 1],
    ["//body", 1],
    ["count(//p)", 1],
    ["not(//p[@class='error'])", 1],
    ["//p[@class='error']", 0],
    ["//h1[contains(., 'not found')]", 0],
    ["count(//p[@class='error'])", 0],
    ["false()", 0],
    ["//title[. = '404']", 0],
    ["", 0],
  ])("xpath %j → %i", (xpath, count) => {
    const warnings = ruleWarnings({ xpath });
    expect(warnings).toHaveLength(count);
    for (const warning of warnings) expect(warning).toMatch(/^xpath: hits on a page/);
  });

  it.each([
    ["", 0],
    ["301,4..,50.", 0],
    ["20[1-9],3..", 0],
    [".*", 1],
    ["404,2..", 1],
    ["200", 1],
  ])("statusCodes %j → %i", (statusCodes, count) => {
    expect(ruleWarnings({ statusCodes })).toHaveLength(count);
  });

  it.each([
    ["", 0],
    ["https://journal\\.example/", 0],
    [".*", 1],
    ["https://[^/]+/.*", 1],
  ])("finalUrl %j → %i", (finalUrl, count) => {
    const warnings = ruleWarnings({ finalUrl });
    expect(warnings).toHaveLength(count);
    for (const warning of warnings) expect(warning).toMatch(/^finalUrl: matches /);
  });
});

it("the values in the key of caches have the order of caches that are stored", () => {
  const rule = readRule({ title: "T", finalUrl: "/gone", statusCodes: "4..", throttleSeconds: 1 });
  expect(digestedValues(linkRuleFields, rule)).toEqual(["4..", undefined, "/gone"]);
});

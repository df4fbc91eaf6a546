import { describe, expect, it } from "vitest";
import { compilePattern, patternText } from "../../../shared/sources/pattern.ts";

describe("compilePattern", () => {
  it.for([
    ["(?i)^Book\\s+Reviews?$", "BOOK  review", true],
    ["Études", "études", false],
    ["(?i)Études", "études", true],
    ["^(.*?)\\037d(.*?)$", "uw\u001fd12", true],
  ] as const)("%s in %j → %s", ([pattern, text, found]) => {
    expect(compilePattern(pattern).matcher(text).find()).toBe(found);
  });
});

describe("patternText", () => {
  it.for([
    ["a(?=b)", "a lookaround"],
    ["(?<!a)b", "a lookaround"],
    ["(?>a)b", "an atomic group"],
    ["(a)\\1", "a back-reference"],
    ["a++", "a possessive quantifier"],
    ["(unclosed", "missing closing )"],
  ] as const)("%s → refused because of %s", ([pattern, problem]) => {
    expect(patternText.safeParse(pattern).error?.issues[0]?.message).toContain(problem);
  });
});

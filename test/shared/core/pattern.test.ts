import { describe, expect, it } from "vitest";
import { compilePattern, patternText } from "../../../shared/core/pattern.ts";
import { estimateSteps } from "../../../shared/core/pattern-complexity.ts";

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

describe("a pattern that is too large to compile", () => {
  it.for<[string, string, number, string]>([
    ["one repetition in another", "(a{1,1000}){1,1000}", 1, "steps, more than 20000"],
    ["many repetitions", "a{1000}", 1000, "steps, more than 20000"],
    ["many of them nested", "((a{0,31}){0,31})", 500, "steps, more than 20000"],
    ["groups without a number", "(?:(?i:x?y?z?){500}){2}", 30, "steps, more than 20000"],
    ["classes", "[^]a-z]{999}", 30, "steps, more than 20000"],
    [
      "a chain of doublings",
      "((((((((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2})",
      1,
      "steps, more than 20000",
    ],
    ["too many characters", "a", 10_001, "must have at most 10000 characters, and has 10001"],
  ])("%s → refused by the schema and by the compiler", ([_title, part, times, problem]) => {
    const text = part.repeat(times);
    expect(patternText.safeParse(text).error?.issues[0]?.message).toContain(problem);
    expect(() => compilePattern(text)).toThrow(problem);
  });
});

describe("estimateSteps", () => {
  it.for([
    "a",
    "^Book\\s+Reviews?$",
    "(?i)abc|def|(?P<name>x+?)y*",
    "a{1,1000}",
    "(a{1,30}){1,30}",
    "(?:a|b|cd){10,20}x{3}y{2,}",
    "[]a]{20}[^]\\]x]{7}[[:alpha:]]{9}",
    "\\pL{50}\\p{Greek}{50}\\x{1F600}{50}\\d{50}\\.{5}",
    "\\Qa(b{2}\\E{3}c",
    "x{",
    "{2}{",
    "a{,5}",
    "(((a{2}){2}){2}){2}",
    "\\037d(.*?)$",
  ])("%s → at least the steps of the program without its frame, at most three times as many", (text) => {
    const steps = compiles(text) ? compilePattern(text).programSize() : 0;
    const size = estimateSteps(text);
    expect(size + 3).toBeGreaterThanOrEqual(steps);
    if (steps > 0) expect(size).toBeLessThanOrEqual(3 * steps);
  });

  it.for(["(", ")", "a)b", "[", "[^", "\\", "\\Q", "\\p{", "*", "(?", "(?P<", "[[[[", "{", "+a"])(
    "%s, which is not a pattern → a size, whatever it is",
    (text) => {
      expect(estimateSteps(text)).toBeLessThan(20);
    },
  );
});

function compiles(text: string): boolean {
  return patternText.safeParse(text).success;
}

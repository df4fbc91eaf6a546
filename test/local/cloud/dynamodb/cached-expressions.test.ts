import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import {
  cacheExpressions,
  type ExpressionContext,
  type ExpressionParser,
} from "../../../../local/cloud/dynamodb/cached-expressions.ts";

const require = createRequire(import.meta.url);
const { parse } = require("dynalite/db/conditionParser") as ExpressionParser;
const { parse: parseUpdate } = require("dynalite/db/updateParser") as ExpressionParser;
const db = require("dynalite/db") as { compare: unknown };

/** A context as dynalite makes it for each request. */
function contextOf(attrNames: Record<string, string>, attrVals: Record<string, object>): ExpressionContext {
  const unused = (given: object) =>
    Object.fromEntries(Object.keys(given).map((name) => [name, true as const]));
  const functions = { isReserved: (name: string) => name === "size", compare: db.compare };
  return {
    attrNames,
    attrVals,
    unusedAttrNames: unused(attrNames),
    unusedAttrVals: unused(attrVals),
    ...functions,
  };
}

/** The result of a parser, and what it leaves unused; an error as its message. */
function outcome(parser: ExpressionParser["parse"], expression: string, context: ExpressionContext): unknown {
  try {
    return [parser(expression, { context }), context.unusedAttrNames, context.unusedAttrVals];
  } catch (error) {
    return (error as Error).message;
  }
}

const conditions = [
  "attribute_not_exists(a)",
  "attribute_not_exists(#n) OR #n < :v",
  "#n = :v AND (contains(b, :w) OR NOT size(c[1].d) > :v)",
  "a IN (:v, :w) AND begins_with(#n, :w)",
  "#n BETWEEN :v AND :w",
  "#n BETWEEN :w AND :v",
  "attribute_type(a, :w)",
  "#missing = :v",
  "#n = ",
  "size = :v",
  "#n < :v AND #n < :missing",
];
const updates = [
  "SET #n = :v, b = if_not_exists(b, :w)",
  "ADD c :v REMOVE #n",
  "SET a = a + :w",
  "DELETE s :v",
  "SET",
];

const contexts: [Record<string, string>, Record<string, object>][] = [
  [{ "#n": "name" }, { ":v": { N: "1" }, ":w": { S: "x" } }],
  [{ "#n": "name" }, { ":v": { N: "2" }, ":w": { S: "y" } }],
  [
    { "#n": "other", "#m": "unused" },
    { ":v": { N: "2" }, ":w": { N: "7" } },
  ],
  [{ "#n": "name" }, { ":v": { SS: ["a"] }, ":w": { S: "SS" }, ":u": { BOOL: true } }],
];

describe("cacheExpressions", () => {
  it.each([
    ["conditions", parse, conditions],
    ["updates", parseUpdate, updates],
  ])(
    "%s, with other names and values → parsed as without it, also the second time",
    (_title, plain, expressions) => {
      const parser = { parse: plain };
      cacheExpressions(parser);
      for (const _round of [1, 2]) {
        for (const expression of expressions) {
          for (const [names, values] of contexts) {
            const expected = outcome(plain, expression, contextOf(names, values));
            expect(outcome(parser.parse, expression, contextOf(names, values))).toEqual(expected);
          }
        }
      }
    },
  );

  it("a tree that is changed afterwards → the next one is whole", () => {
    const parser = { parse };
    cacheExpressions(parser);
    const [names, values] = contexts[0] ?? [{}, {}];
    const first = parser.parse("#n = :v", { context: contextOf(names, values) }) as Record<string, unknown>;
    const expected = structuredClone(first);
    for (const key of Object.keys(first)) delete first[key];
    expect(parser.parse("#n = :v", { context: contextOf(names, values) })).toEqual(expected);
  });
});

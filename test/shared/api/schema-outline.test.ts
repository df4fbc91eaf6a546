import { describe, expect, it } from "vitest";
import * as z from "zod";
import { toJsonSchema } from "../../../shared/api/open-api.ts";
import { describeLimits, describeType, outlineSchema } from "../../../shared/api/schema-outline.ts";

const named = z.strictObject({ id: z.string() }).meta({ title: "Thing" });

describe("the outline of a schema", () => {
  it.each<[string, z.ZodType, string]>([
    [
      "a short object → one line",
      z.strictObject({ a: z.string(), b: z.int().optional() }),
      "{ a: string, b?: integer }",
    ],
    [
      "a description → a comment",
      z.strictObject({ a: z.string().describe("Its A") }),
      "{\n  a: string  // Its A\n}",
    ],
    [
      "a long description → a line of its own",
      z.strictObject({ a: z.string().describe("long ".repeat(25).trim()) }),
      `{\n  // ${"long ".repeat(25).trim()}\n  a: string\n}`,
    ],
    [
      "choices → all of them",
      z.strictObject({ a: z.enum(["x", "y"]).nullable() }),
      '{ a: "x" | "y" | null }',
    ],
    ["a named schema → its name", z.strictObject({ things: z.array(named) }), "{ things: Thing[] }"],
    [
      "a list of choices → in brackets",
      z.strictObject({ a: z.array(z.enum(["x", "y"])) }),
      '{ a: ("x" | "y")[] }',
    ],
    ["a tuple → its entries", z.tuple([z.string(), z.array(z.string())]), "[string, string[]]"],
    [
      "a record → any names",
      z.strictObject({ a: z.record(z.string(), z.int()) }),
      "{ a: { [name]: integer } }",
    ],
    [
      "a list of objects with comments → indented",
      z.strictObject({ list: z.array(z.strictObject({ a: z.string().describe("A") })) }),
      "{\n  list: {\n    a: string  // A\n  }[]\n}",
    ],
  ])("%s", (_title, schema, outline) => {
    expect(outlineSchema(toJsonSchema(schema, "output"), { hasLimits: false })).toBe(outline);
  });

  it("limits are shown where they are wanted", () => {
    const schema = toJsonSchema(z.strictObject({ n: z.int().min(1).max(5).default(2) }), "input");
    expect(outlineSchema(schema, { hasLimits: true })).toBe("{\n  n?: integer  // 1 to 5; default 2\n}");
    expect(outlineSchema(schema, { hasLimits: false })).toBe("{ n?: integer }");
  });
});

it.each<[limits: string[], z.ZodType]>([
  [["at most 9 characters"], z.string().max(9)],
  [["at most 9 characters"], z.string().min(1).max(9)],
  [["2 to 9 characters"], z.string().min(2).max(9)],
  [["1 character"], z.string().length(1)],
  [["YYYY-MM-DD"], z.iso.date()],
  [["1 to 3 entries"], z.array(z.string()).min(1).max(3)],
  [["0 to 5", "default 0"], z.int().min(0).max(5).default(0)],
  [[], z.int().nonnegative()],
])("limits: %j", (limits, schema) => {
  expect(describeLimits(toJsonSchema(schema, "input"))).toEqual(limits);
});

it("a reference → the name that it refers to", () => {
  const $ref = "#/components/schemas/Thing";
  expect(describeType({ type: "array", items: { $ref } })).toBe("Thing[]");
  expect(outlineSchema({ $ref }, { hasLimits: false })).toBe("Thing");
});

import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Html } from "../../../shared/console/page.ts";
import { form } from "../../../shared/console/parts/form.ts";
import { changedFields, fieldsOf, sentValues, typedThing } from "../../../shared/console/parts/table-form.ts";
import { inputOf, typedFieldValue } from "../../../shared/console/parts/table-input.ts";
import type { FieldTable } from "../../../shared/core/field-table.ts";
import { consoleRequest } from "./console-request.ts";

const label = { en: "A field", de: "Ein Feld" };

describe("the input for a schema", () => {
  it.each<[z.ZodType, kind: string]>([
    [z.string().optional(), "text"],
    [z.string().nullable().default(null), "text"],
    [z.union([z.string(), z.int().transform(String)]).nullable(), "text"],
    [z.url(), "url"],
    [z.email(), "email"],
    [z.iso.date().optional(), "date"],
    [z.number().default(1), "number"],
    [z.int().nullish(), "number"],
    [z.boolean().default(true), "checkbox"],
    [z.array(z.string()), "textarea"],
    [z.array(z.number()).default([1]), "text"],
  ])("%# → %s", (schema, kind) => {
    expect(inputOf({ schema }).kind).toBe(kind);
  });

  it("an object → a TypeError: its row needs rows of its own, or no form has it", () => {
    expect(() => inputOf({ schema: z.strictObject({ a: z.string() }) })).toThrow(TypeError);
  });
});

describe("what is typed", () => {
  it.each<[typed: string, z.ZodType, value: unknown]>([
    [" a ", z.string(), "a"],
    ["", z.string(), ""],
    ["", z.string().optional(), undefined],
    ["", z.string().nullable(), null],
    ["2", z.number(), 2],
    ["2 s", z.number(), "2 s"],
    ["", z.number().default(3), undefined],
    ["yes", z.boolean(), true],
    ["no", z.boolean(), false],
    ["a@b.example\r\nc@d.example\r\n", z.array(z.email()), ["a@b.example", "c@d.example"]],
    ["https://a.example/x,y", z.array(z.url()), ["https://a.example/x,y"]],
    ["", z.array(z.string()).default([]), []],
    ["", z.array(z.string()).optional(), undefined],
    ["1, 8,64", z.array(z.number()), [1, 8, 64]],
    ["1, x", z.array(z.number()), [1, "x"]],
  ])("%j in the input of %#", (typed, schema, value) => {
    expect(typedFieldValue({ schema, label }, typed)).toEqual(value);
  });

  it("spaces at its ends count where the row says so", () => {
    expect(typedFieldValue({ schema: z.string(), label, keepsSpaces: true }, " a ")).toBe(" a ");
  });
});

const table: FieldTable = {
  title: { schema: z.string(), label },
  isOpen: { schema: z.boolean().default(true), label },
  mails: { schema: z.array(z.string()).optional(), label, form: "more" },
  kept: { schema: z.record(z.string(), z.string()), label, form: "none" },
  limits: {
    schema: z.object({ most: z.int().default(5), least: z.int().optional() }).prefault({}),
    label,
    fields: {
      most: { schema: z.int().default(5), label },
      least: { schema: z.int().optional(), label },
    },
  },
};
const stored = { title: "T", isOpen: false, kept: { a: "b" }, limits: { least: 1 }, id: "x" };

describe("the form of a table", () => {
  const request = consoleRequest("/");
  const fields = fieldsOf(table, stored, request);

  it("has the stored values, and the defaults of what is not stored; not what no form has", () => {
    expect(fields.map(({ name, value }) => [name, value])).toEqual([
      ["title", "T"],
      ["isOpen", ""],
      ["mails", ""],
      ["limits.most", "5"],
      ["limits.least", "1"],
    ]);
  });

  it("sent as it is → changes nothing", () => {
    const typed = typedThing(table, stored, sentValues(fields));
    expect(typed).toEqual({ ...stored, id: undefined, limits: { most: 5, least: 1 } });
    expect(changedFields(table, { ...stored, limits: { most: 5, least: 1 } }, typed)).toEqual({});
  });

  it("without some of the fields → they stay as they are stored", () => {
    expect(typedThing(table, stored, { title: "New", kept: "x" })).toEqual({
      title: "New",
      isOpen: false,
      kept: { a: "b" },
      limits: { least: 1 },
    });
  });

  it("a field that was emptied → is absent; in a change, null", () => {
    const typed = typedThing(table, stored, { "limits.least": "", isOpen: "yes" });
    expect(typed).toMatchObject({ isOpen: true, limits: {} });
    expect(changedFields(table, stored, typed)).toEqual({ isOpen: true, limits: { least: null } });
  });

  it("folds away what is rarely changed, unless it is what is wrong", async () => {
    const shown = async (problem?: { status: number; detail: string; field: string }): Promise<Html> =>
      form({ request, to: "/", button: "Save", fields, problem });
    expect(String(await shown())).toMatch(/<details><summary>More settings<\/summary>.*name="mails"/s);
    const refused = { status: 400, detail: "must be mail addresses", field: "mails" };
    expect(String(await shown(refused))).toContain("<details open>");
  });
});

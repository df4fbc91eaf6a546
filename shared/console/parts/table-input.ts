import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "../../api/open-api.ts";
import type { FieldRow } from "../../core/field-table.ts";
import type { Field } from "./field.ts";
import { typedNumber } from "./form.ts";

/** The kind of input for a field, which is derived from the field's schema. */
interface Input {
  type: "text" | "number" | "boolean" | "choice" | "texts" | "numbers" | "lines";
  kind: NonNullable<Field["kind"]>;
  /** The values of a choice. */
  values?: readonly string[];
}

/**
 * Returns the input for a field.
 * @throws TypeError for a schema for which there is no input: its row needs `lines`, `fields`, or `form: "none"`
 */
export function inputOf({ schema, lines }: Pick<FieldRow, "schema" | "lines">): Input {
  if (lines !== undefined) return { type: "lines", kind: "textarea" };
  const { type, format, enum: values, items } = simplest(toJsonSchema(schema, "input"));
  if (Array.isArray(values)) return { type: "choice", kind: "text", values: values.map(String) };
  if (type === "boolean") return { type, kind: "checkbox" };
  if (type === "number" || type === "integer") return { type: "number", kind: "number" };
  if (type === "array") {
    const entry = simplest((items ?? {}) as JsonSchema).type;
    if (entry === "string") return { type: "texts", kind: "textarea" };
    if (entry === "number" || entry === "integer") return { type: "numbers", kind: "text" };
  }
  if (type === "string") return { type: "text", kind: kindOfFormat[String(format)] ?? "text" };
  throw new TypeError(`no input is for ${JSON.stringify(toJsonSchema(schema, "input"))}`);
}

const kindOfFormat: Record<string, Input["kind"]> = { date: "date", email: "email", uri: "url" };

/** Returns the first alternative of a schema that is not null. */
function simplest(schema: JsonSchema): JsonSchema {
  const { anyOf: union, type } = schema;
  if (Array.isArray(type)) return { ...schema, type: type.find((each) => each !== "null") };
  if (!Array.isArray(union)) return schema;
  return simplest(union.find((each: JsonSchema) => each.type !== "null") ?? {});
}

/** Returns the value of a field as an input shows it. */
export function shownText({ lines }: Pick<FieldRow, "lines">, value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (lines !== undefined) return lines.write(value as never).join("\n");
  if (value === true) return "yes";
  if (Array.isArray(value)) return value.join(value.every((each) => typeof each === "number") ? ", " : "\n");
  return String(value);
}

/**
 * Returns the value that was typed. Empty text becomes null if the schema permits null, and is omitted if the field is
 * optional. Invalid text is kept, so that the API reports the problem.
 */
export function typedFieldValue(row: FieldRow, text: string): unknown {
  const { schema, keepsSpaces, lines } = row;
  const { type } = inputOf(row);
  if (type === "boolean") return text === "yes";
  const typed = keepsSpaces ? text : text.trim();
  if (type === "texts" || type === "numbers") {
    const entries = typed.split(type === "texts" ? /\s+/ : /[\s,]+/).filter((entry) => entry !== "");
    if (entries.length === 0 && mayBeAbsent(schema)) return undefined;
    return type === "texts" ? entries : entries.map(typedNumber);
  }
  if (typed === "") return emptyValue(schema);
  if (lines !== undefined)
    return lines.read(
      typed
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    );
  return type === "number" ? typedNumber(typed) : typed;
}

function emptyValue(schema: z.ZodType): unknown {
  if (schema.safeParse(null).success) return null;
  return isRequired(schema) ? "" : undefined;
}

export function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}

/** Returns the value that the API uses for an omitted field. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema.safeParse(undefined).data;
}

/** Decides whether a thing may lack the field, so that it may be empty in a form. */
export function mayBeAbsent(schema: z.ZodType): boolean {
  return !isRequired(schema) && defaultOf(schema) === undefined;
}

import type * as z from "zod";
import { type JsonSchema, toJsonSchema } from "../../api/open-api.ts";
import type { FieldRow } from "../../core/field-table.ts";
import type { Field } from "./field.ts";
import { typedNumber } from "./form.ts";

/** How a form asks for the value of a field, which follows from its schema. */
interface Input {
  type: "text" | "number" | "boolean" | "choice" | "texts" | "numbers";
  kind: NonNullable<Field["kind"]>;
  /** The values of a choice. */
  values?: readonly string[];
}

/**
 * The input for a schema.
 * @throws TypeError for a schema that no input is for: its row needs `fields`, or `form: "none"`
 */
export function inputOf(schema: z.ZodType): Input {
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

/** The first schema of a value that is not null. */
function simplest(schema: JsonSchema): JsonSchema {
  const { anyOf: union, type } = schema;
  if (Array.isArray(type)) return { ...schema, type: type.find((each) => each !== "null") };
  if (!Array.isArray(union)) return schema;
  return simplest(union.find((each: JsonSchema) => each.type !== "null") ?? {});
}

/** The value of a field as an input shows it. */
export function shownText(value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (value === true) return "yes";
  if (Array.isArray(value)) return value.join(value.every((each) => typeof each === "number") ? ", " : "\n");
  return String(value);
}

/**
 * The value that was typed. Empty text is null where null is a value, and absent where the field is optional. Text that is
 * not a value is kept, so that the API says what is wrong.
 */
export function typedFieldValue({ schema, keepsSpaces }: FieldRow, text: string): unknown {
  const { type } = inputOf(schema);
  if (type === "boolean") return text === "yes";
  const typed = keepsSpaces ? text : text.trim();
  if (type === "texts" || type === "numbers") {
    const entries = typed.split(type === "texts" ? /\s+/ : /[\s,]+/).filter((entry) => entry !== "");
    if (entries.length === 0 && mayBeAbsent(schema)) return undefined;
    return type === "texts" ? entries : entries.map(typedNumber);
  }
  if (typed === "") return emptyValue(schema);
  return type === "number" ? typedNumber(typed) : typed;
}

function emptyValue(schema: z.ZodType): unknown {
  if (schema.safeParse(null).success) return null;
  return isRequired(schema) ? "" : undefined;
}

export function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}

/** What the API takes for a field that was not sent. */
export function defaultOf(schema: z.ZodType): unknown {
  return schema.safeParse(undefined).data;
}

/** Whether a thing may lack the field, so that a form has it empty. */
export function mayBeAbsent(schema: z.ZodType): boolean {
  return !isRequired(schema) && defaultOf(schema) === undefined;
}

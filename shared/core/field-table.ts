import type * as z from "zod";

/** A text in the languages of the console. */
export type Wording = Readonly<Record<"en" | "de", string>>;

/**
 * A field that operators can set. Stored items, request bodies of the API, their documentation, forms of the console
 * and error messages are derived from the tables of fields. This file is in the lowest layer, because it does not
 * depend on any particular table.
 */
export interface FieldRow {
  /**
   * The permitted values. The schema's description is used in the API document. A field whose schema accepts
   * `undefined` is optional.
   */
  schema: z.ZodType;
  label: Wording;
  hint?: Wording;
  /** The labels of the choices, if the field has choices. */
  choices?: Readonly<Record<string, Wording>>;
  /** How forms show a list of objects or a map: see `LineNotation`. */
  lines?: LineNotation;
  /** The nested fields, if the field is an object. */
  fields?: FieldTable;
  /**
   * The place of the field in forms: by default, among the first fields. `more`: among the folded fields. `none`: in no
   * form, so forms keep the stored value.
   */
  form?: "more" | "none";
  /** Set when leading and trailing spaces of an entered value are significant. */
  keepsSpaces?: true;
  /** Set when results depend on the field. Results for another value of the field are not reused. */
  isInDigest?: true;
  /** An example value, which the help of the command line shows. */
  example?: unknown;
  /**
   * The command-line option that sets the field, its line in the help, and its maximum if the command permits a greater
   * value.
   */
  option?: { name: string; help: string; max?: number };
}

/**
 * A notation with one entry per line. What `read` cannot parse, it keeps in a place where the schema refuses it, so that the
 * API reports the problem.
 */
export interface LineNotation {
  /** @param value a value that the schema accepts */
  write(value: never): string[];
  /** @param lines without empty ones */
  read(lines: string[]): unknown;
}

/** Fields by name, in the order in which forms and documents list them. */
export type FieldTable = Readonly<Record<string, FieldRow>>;

type ShapeOf<Table extends FieldTable> = { -readonly [Name in keyof Table]: Table[Name]["schema"] };

/** Returns the Zod shape of an object with the fields of a table. */
export function shapeOf<Table extends FieldTable>(table: Table): ShapeOf<Table> {
  const shape = Object.entries(table).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(shape) as ShapeOf<Table>;
}

/** Returns the values on which results depend, in the order of the table. */
export function digestedValues(table: FieldTable, thing: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(table).flatMap(([name, { isInDigest }]) => (isInDigest ? [thing[name]] : []));
}

/** Returns an object with the examples of all fields that have one. */
export function exampleOf(table: FieldTable): Record<string, unknown> {
  const examples = Object.entries(table).map(([name, { example }]) => [name, example]);
  return Object.fromEntries(examples.filter(([, example]) => example !== undefined));
}

/** Returns a text such as `presence: always, sometimes, ignore` for each field that has choices. */
export function describeChoices(table: FieldTable): string[] {
  return Object.entries(table).flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [`${name}: ${Object.keys(choices).join(", ")}`],
  );
}

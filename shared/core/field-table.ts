import type * as z from "zod";

/** A text in the languages of the console. */
export type Wording = Readonly<Record<"en" | "de", string>>;

/**
 * A field of a thing that operators set. Stored items, bodies of the API and their documents, forms of the console and
 * messages to threads follow from the table of a thing. Tables are here, below all things, because none of this is about one.
 */
export interface FieldRow {
  /** What the field may be; its description is that of the API. A schema that takes `undefined` is optional. */
  schema: z.ZodType;
  label: Wording;
  hint?: Wording;
  /** The labels of the choices, if the field has some. */
  choices?: Readonly<Record<string, Wording>>;
  /** The fields of an object. */
  fields?: FieldTable;
  /**
   * Where forms have the field: among the first ones unless it says otherwise. `more`: among those that are folded away.
   * `none`: nowhere; what is stored stays.
   */
  form?: "more" | "none";
  /** Spaces at both ends of what is typed count. */
  keepsSpaces?: true;
  /** Results depend on it: those of another value are not used again. */
  isInDigest?: true;
  /** A value that the help of the command line shows. */
  example?: unknown;
  /** The option of a command that sets the field, its line in the help, and its maximum where the command permits more. */
  option?: { name: string; help: string; max?: number };
}

/** Fields by name, in the order of forms and documents. */
export type FieldTable = Readonly<Record<string, FieldRow>>;

type ShapeOf<Table extends FieldTable> = { -readonly [Name in keyof Table]: Table[Name]["schema"] };

/** The shape of an object with the fields of a table. */
export function shapeOf<Table extends FieldTable>(table: Table): ShapeOf<Table> {
  const shape = Object.entries(table).map(([name, { schema }]) => [name, schema]);
  return Object.fromEntries(shape) as ShapeOf<Table>;
}

/** The values that results depend on, in the order of the table. */
export function digestedValues(table: FieldTable, thing: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(table).flatMap(([name, { isInDigest }]) => (isInDigest ? [thing[name]] : []));
}

/** An object with the example of each field that has one. */
export function exampleOf(table: FieldTable): Record<string, unknown> {
  const examples = Object.entries(table).map(([name, { example }]) => [name, example]);
  return Object.fromEntries(examples.filter(([, example]) => example !== undefined));
}

/** `presence: always, sometimes, ignore` of each field that has choices. */
export function describeChoices(table: FieldTable): string[] {
  return Object.entries(table).flatMap(([name, { choices }]) =>
    choices === undefined ? [] : [`${name}: ${Object.keys(choices).join(", ")}`],
  );
}

import * as z from "zod";
import type { ConfigurationTable } from "../../records/sources/configuration-fields.ts";
import { sourceOperatorRows } from "../../records/sources/operator-fields.ts";

/** The fields that operators set, as lists of sources show them. */
export const operatorShape = shapeOfRows(sourceOperatorRows, ({ schema }) => schema, z.object);

/** What a `PATCH` sets: an omitted field stays, null resets one. */
export const sourceChange = z.strictObject(
  shapeOfRows(
    sourceOperatorRows,
    ({ schema }) => settable(schema),
    (shape) => z.strictObject(shape).optional(),
  ),
);

/** The shape of these rows, where an object has only the fields that have rows. */
function shapeOfRows(
  table: ConfigurationTable,
  schemaOf: (row: ConfigurationTable[string]) => z.ZodType,
  objectOf: (shape: z.ZodRawShape) => z.ZodType,
): z.ZodRawShape {
  const shape = Object.entries(table).map(([name, row]) => [
    name,
    row.fields ? objectOf(shapeOfRows(row.fields, schemaOf, objectOf)) : schemaOf(row),
  ]);
  return Object.fromEntries(shape);
}

/** The field in a change: null resets it, no default is filled in. */
function settable(schema: z.ZodType): z.ZodType {
  const inner = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;
  return inner.nullish().describe(schema.description ?? "");
}

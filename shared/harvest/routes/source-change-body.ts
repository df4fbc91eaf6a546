import * as z from "zod";
import type { ConfigurationTable } from "../../records/sources/configuration-fields.ts";
import { sourceOperatorRows } from "../../records/sources/operator-fields.ts";

/** The fields that operators set, as they appear in lists of sources. */
export const operatorShape = shapeOfRows(sourceOperatorRows, ({ schema }) => schema, z.object);

/** The body of a `PATCH`. Omitted fields are kept; null resets a field. */
export const sourceChange = z.strictObject(
  shapeOfRows(
    sourceOperatorRows,
    ({ schema }) => settable(schema),
    (shape) => z.strictObject(shape).optional(),
  ),
);

/** Returns the shape of these rows. Objects contain only the fields that have rows. */
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

/** Returns the schema of a field in a change: null resets the field, and no default is filled in. */
function settable(schema: z.ZodType): z.ZodType {
  const inner = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;
  return inner.nullish().describe(schema.description ?? "");
}

import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { definitionFields } from "./definition-fields.ts";

/** The schema of the fields of a definition that operators set. */
export const definitionInput = z.strictObject(shapeOf(definitionFields));
export type DefinitionInput = z.output<typeof definitionInput>;

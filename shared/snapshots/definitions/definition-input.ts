import * as z from "zod";
import { shapeOf } from "../../core/field-table.ts";
import { definitionFields } from "./definition-fields.ts";

/** What an operator sets of a definition. */
export const definitionInput = z.strictObject(shapeOf(definitionFields));
export type DefinitionInput = z.output<typeof definitionInput>;

import { definitionFields } from "../definitions/definition-fields.ts";
import { definitionInput } from "../definitions/definition-input.ts";

/** The request body of a harvest definition, and its fields. */
export const definitionBody = { fields: definitionFields, schema: definitionInput };

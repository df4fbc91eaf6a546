import { definitionFields } from "../definitions/definition-fields.ts";
import { definitionInput } from "../definitions/definition-input.ts";

/** A harvest definition as it is sent, and its fields. */
export const definitionBody = { fields: definitionFields, schema: definitionInput };

import * as z from "zod";

/** The id of a source or collection. */
export const sourceIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,127}$/, "must be 1 to 128 of a-z, 0-9, '.', '_' and '-'");

import * as z from "zod";

export const recordIdPattern = /^[\w-]{1,64}$/;

/** The id of a record, in a path. */
export const recordId = z
  .string()
  .regex(recordIdPattern, "must be 1 to 64 letters, digits, - or _")
  .describe("The id of a record");

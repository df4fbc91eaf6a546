import * as z from "zod";

/**
 * The schema of a User-Agent: printable ASCII, which a header value can carry unchanged.
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-user-agent
 */
export const userAgentSchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,500}$/, "must be 1 to 500 printable ASCII characters");

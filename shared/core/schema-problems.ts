import type { ZodError, z } from "zod";
import { ConfigError, InputError } from "./errors.ts";

/**
 * Parses input with a schema.
 * @param file the name of the file that contains the input, which an error names before the field
 * @throws InputError with the first invalid field, its value and the problem
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  file?: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (error !== undefined) throw buildInputError(error, input, file === undefined ? "" : `${file}: `);
  return data as z.output<Schema>;
}

function buildInputError(error: ZodError, input: unknown, prefix: string): InputError {
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  const isMissing = path.length > 0 && value === undefined;
  const problem =
    unknown.length > 0 ? "is unknown here" : isMissing ? "is missing" : (issue?.message ?? error.message);
  return new InputError(`${prefix}${path.map(String).join(".") || "(whole)"}`, value, problem);
}

/** Builds the error for an invalid stored item, for which the request is not at fault. `what` names the item. */
export function buildConfigError(error: ZodError, what: string): ConfigError {
  return new ConfigError(`${what} is not valid: ${describeProblems(error)}`);
}

/** Formats all problems of a schema error in one line. */
export function describeProblems(error: ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join(".") || "(whole)"}: ${message}`)
    .join("; ");
}

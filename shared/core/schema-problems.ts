import type { ZodError, z } from "zod";
import { ConfigError, InputError } from "./errors.ts";

/** What a schema makes of input. @throws InputError that names the first field that is wrong, its value and what is wrong with it */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(input);
  if (error !== undefined) throw buildInputError(error, input);
  return data as z.output<Schema>;
}

function buildInputError(error: ZodError, input: unknown): InputError {
  const [issue] = error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []), ...unknown];
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  const problem = unknown.length > 0 ? "is unknown here" : (issue?.message ?? error.message);
  return new InputError(path.map(String).join(".") || "(whole)", value, problem);
}

/** The error for what is stored and not valid: no fault of who asks. `what` names the item. */
export function buildConfigError(error: ZodError, what: string): ConfigError {
  return new ConfigError(`${what} is not valid: ${describeProblems(error)}`);
}

/** All problems that a schema found, in one line. */
export function describeProblems(error: ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join(".") || "(whole)"}: ${message}`)
    .join("; ");
}

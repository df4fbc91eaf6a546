import type { ZodError } from "zod";
import { ConfigError, InputError } from "./errors.ts";

/** The first problem that a schema found, as the error that names field and value. */
export function inputErrorOf(error: ZodError, input: unknown): InputError {
  const [issue] = error.issues;
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  return new InputError(path.map(String).join(".") || "(whole)", value, issue?.message ?? error.message);
}

/** The error for what is stored and not valid: no fault of who asks. `what` names the item. */
export function configErrorOf(error: ZodError, what: string): ConfigError {
  return new ConfigError(`${what} is not valid: ${describeProblems(error)}`);
}

/** All problems that a schema found, in one line. */
export function describeProblems(error: ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.map(String).join(".") || "(whole)"}: ${message}`)
    .join("; ");
}

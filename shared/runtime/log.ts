import { textWithoutCredentials } from "../core/url-credentials.ts";

/**
 * One line of JSON per entry, as CloudWatch Logs Insights reads it. Never a body, a header or a credential; those of URLs
 * are taken out of all that an error says. Nothing else of the functions writes a log.
 */
export function log(
  level: "info" | "warn" | "error",
  message: string,
  fields: Record<string, unknown> = {},
): void {
  console.log(JSON.stringify({ level, message, ...fields }, withoutSecrets));
}

function withoutSecrets(_key: string, value: unknown): unknown {
  return typeof value === "string" ? textWithoutCredentials(value) : value;
}

/** What is logged of an error: its kind, its text and its causes. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return {
    error: error.name,
    detail: error.message,
    ...(error.cause !== undefined && { cause: String(error.cause) }),
    stack: error.stack
      ?.split("\n")
      .slice(1, 6)
      .map((line) => line.trim()),
  };
}

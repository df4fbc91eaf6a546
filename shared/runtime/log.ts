import { textWithoutCredentials } from "../core/url-credentials.ts";
import { inSource } from "./source-position.ts";

/**
 * Writes one line of JSON per entry, in the format of CloudWatch Logs Insights. Entries do not contain bodies, headers
 * or credentials; credentials are removed from the URLs in all texts. Functions must use this log only.
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

/** Returns the log fields of an error: kind, text, cause, and the top of its stack. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return {
    error: error.name,
    detail: error.message,
    ...(error.cause !== undefined && { cause: String(error.cause) }),
    stack: error.stack
      ?.split("\n")
      .slice(1, 6)
      .map((line) => inSource(line.trim())),
  };
}

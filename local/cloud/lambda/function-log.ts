import { parseJson } from "../../../shared/core/parse-json.ts";

/** A line of a function's log. */
export interface FunctionLog {
  readonly functionName: string;
  readonly time: string;
  /** One of DEBUG, INFO, WARN, ERROR and FATAL. */
  readonly level: string;
  readonly requestId?: string;
  /** The string, object or error that the function logged. */
  readonly message: unknown;
  /** Further fields that the function logged. */
  readonly [field: string]: unknown;
}

/**
 * Parses a line that a function wrote. The fields of a JSON object are kept, even if the object is the
 * message in Lambda's own format. Any other line becomes a message.
 */
export function parseLogLine(functionName: string, line: string): FunctionLog {
  const outer = parseJsonObject(line) ?? { message: line };
  const inner = typeof outer.message === "string" ? parseJsonObject(outer.message) : undefined;
  const { timestamp = new Date().toISOString(), level = "INFO", message, ...fields } = { ...outer, ...inner };
  return { functionName, time: String(timestamp), level: String(level).toUpperCase(), message, ...fields };
}

function parseJsonObject(line: string): Record<string, unknown> | undefined {
  return line.startsWith("{") ? (parseJson(line) as Record<string, unknown> | undefined) : undefined;
}

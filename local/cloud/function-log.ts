/** A line of a function's log. */
export interface FunctionLog {
  readonly functionName: string;
  readonly time: string;
  /** DEBUG, INFO, WARN, ERROR or FATAL. */
  readonly level: string;
  readonly requestId?: string;
  /** Text, unless the function logged an object or an error. */
  readonly message: unknown;
  /** What the function logged besides. */
  readonly [field: string]: unknown;
}

/**
 * A line that a function wrote. The fields of JSON count as they are, also when a function writes JSON of its own into
 * the message of Lambda's; anything else is a message.
 */
export function parseLogLine(functionName: string, line: string): FunctionLog {
  const outer = parseJsonObject(line) ?? { message: line };
  const inner = typeof outer.message === "string" ? parseJsonObject(outer.message) : undefined;
  const { timestamp = new Date().toISOString(), level = "INFO", message, ...fields } = { ...outer, ...inner };
  return { functionName, time: String(timestamp), level: String(level).toUpperCase(), message, ...fields };
}

function parseJsonObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

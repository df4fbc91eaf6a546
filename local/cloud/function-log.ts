/** A line of a function's log. */
export interface FunctionLog {
  readonly functionName: string;
  readonly time: string;
  readonly level: string;
  readonly requestId?: string;
  readonly message: unknown;
}

/** A line in the JSON log format as it is, anything else as its message. */
export function logOf(functionName: string, line: string): FunctionLog {
  const now = new Date().toISOString();
  const fields = parsed(line);
  if (fields === undefined) return { functionName, time: now, level: "INFO", message: line };
  const { timestamp = now, time = timestamp, level = "INFO", ...rest } = fields;
  const about = { functionName, time: String(time), level: String(level).toUpperCase() };
  return "message" in rest ? { ...about, message: rest.message, ...rest } : { ...about, message: rest };
}

function parsed(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Describes where and why a text is not JSON. */
export function describeJsonError(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (text.trim() === "") return "is empty, but must be JSON";
  if (/end of JSON input|Unterminated/.test(message) || isAtEnd(message, text)) {
    return "is not JSON: it ends too early; a bracket or quote is not closed";
  }
  const position = /at position (\d+)/.exec(message)?.[1];
  const problem = message
    .replace(/,? *(?:in JSON )?at position .*$/s, "")
    .replace(/, "[\s\S]*is not valid JSON$/, "");
  if (position === undefined) return `is not JSON: ${problem}`;
  const before = text.slice(0, Number(position)).split("\n");
  return `is not JSON: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${problem}`;
}

function isAtEnd(message: string, text: string): boolean {
  return Number(/at position (\d+)/.exec(message)?.[1]) >= text.trimEnd().length;
}

/** The entries of a map file, or the reason why it cannot be used. */
type EnhancementMap =
  | { type: "read"; entries: Map<string, string>; repeated: string[] }
  | { type: "refused"; problem: string };

/**
 * Reads a file of `key=value` lines. Text after the last `#` of a line is a comment. A backslash escapes the next
 * character. If a key is repeated, its last line is used.
 */
export function readEnhancementMap(text: string): EnhancementMap {
  const entries = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [index, line] of text.split("\n").entries()) {
    const written = line.replace(/#[^#]*$/, "").trim();
    if (written === "") continue;
    const [, key, value] = /^((?:\\.|[^=\\])+)=((?:\\.|[^=\\])+)$/.exec(written) ?? [];
    if (key === undefined || value === undefined)
      return { type: "refused", problem: `line ${index + 1} is not "key=value": "${written}"` };
    if (entries.has(unescaped(key))) repeated.add(unescaped(key));
    entries.set(unescaped(key), unescaped(value));
  }
  return { type: "read", entries, repeated: [...repeated] };
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/**
 * Returns the references in a stylesheet, as written and each once: `url(…)`, `@import` and the strings of
 * `image-set(…)`. Comments and other strings are skipped.
 * @see https://www.w3.org/TR/css-syntax-3/#consume-url-token
 */
export function cssUrls(css: string): string[] {
  const urls = new Set<string>();
  let expectsText = false;
  for (const [token, bare] of css.matchAll(tokens)) {
    const name = token.toLowerCase();
    if (bare !== undefined) {
      urls.add(decodeEscapes(bare));
      expectsText = false;
    } else if (name === "@import" || name.startsWith("image-set(") || name.startsWith("url(")) {
      expectsText = true;
    } else if (token.startsWith('"') || token.startsWith("'")) {
      if (expectsText) urls.add(decodeEscapes(token.slice(1, -1)));
    } else if (token === ";" || token === "}" || token === ")") {
      expectsText = false;
    }
  }
  return [...urls].filter((url) => url !== "");
}

/**
 * Matches a comment, a string, an unquoted `url(` with its content, the beginning of a function that contains
 * strings, or its end.
 */
const tokens =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|\burl\(\s*((?:[^"'()\\\s]|\\[0-9a-f]{1,6}\s?|\\[^\n])+)\s*\)|\burl\(|@import\b|\bimage-set\(|[;})]/gi;

/** Decodes escapes. @see https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point */
function decodeEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:([0-9a-f]{1,6})\s?|(\n)|([\s\S]))/gi,
    (_escape, code?: string, newline?: string, character?: string) => {
      if (code === undefined) return newline === undefined ? (character ?? "") : "";
      const point = Number.parseInt(code, 16);
      return point === 0 || point > 0x10ffff ? "\uFFFD" : String.fromCodePoint(point);
    },
  );
}

import { withoutNeedlessEscapes } from "../../identifiers/url-escapes.ts";

/** The path of a rule, in the spelling in which paths are compared, split at its asterisks. */
export interface PathPattern {
  /** The texts between the asterisks. A path starts with the first part. */
  parts: string[];
  /** The number of characters of all parts. A shorter path cannot match. */
  partsLength: number;
  /** Whether the path must end with the last part. */
  isWhole: boolean;
  /** The length of the pattern. The rule with the longest pattern is the most specific. */
  length: number;
}

/**
 * Parses the path of a rule. `*` matches any text, and `$` at the end matches the end of the path.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2.3
 */
export function readPattern(path: string): PathPattern {
  const isWhole = path.endsWith("$");
  const text = canonicalise(isWhole ? path.slice(0, -1) : path).replaceAll("$", "%24");
  const parts = text.split("*");
  const partsLength = text.length - (parts.length - 1);
  return { parts, partsLength, isWhole, length: text.length + Number(isWhole) };
}

/** Returns the path and query of a URL, in the spelling of patterns. */
export function comparablePath(url: URL): string {
  return canonicalise(url.pathname + url.search)
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/**
 * Decides whether a pattern matches a path. Each part is matched at its first occurrence, without backtracking, so the
 * path is scanned only once.
 */
export function matches({ parts, partsLength, isWhole }: PathPattern, path: string): boolean {
  if (partsLength > path.length || !path.startsWith(parts[0] ?? "")) return false;
  const [first = "", ...others] = parts;
  const last = isWhole ? (others.pop() ?? "") : "";
  let from = first.length;
  for (const part of others) {
    const at = path.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  if (!isWhole) return true;
  return parts.length === 1 ? path.length === from : path.length - last.length >= from && path.endsWith(last);
}

/** Text that has only one spelling. */
const alreadyCanonical = /^[\w./?&=*-]*$/;

/**
 * Converts equal texts to the same spelling: `%62%61%7A` to `baz`, and `ツ` to `%E3%83%84`. Unescaped `*` and `$` are
 * unchanged, because they have different meanings in paths and patterns.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
 */
function canonicalise(text: string): string {
  if (alreadyCanonical.test(text)) return text;
  return (
    encodeURI(withoutNeedlessEscapes(text).toWellFormed())
      .replaceAll("%25", "%")
      // The URL class escapes the apostrophe in a query but not in a path.
      .replaceAll("'", "%27")
      .replaceAll(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
  );
}

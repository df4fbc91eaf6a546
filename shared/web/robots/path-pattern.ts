import { withoutNeedlessEscapes } from "../../identifiers/url-escapes.ts";

/** The path of a rule in comparable spelling, split at its asterisks. */
export interface PathPattern {
  /** The texts between the asterisks. A path starts with the first part. */
  parts: string[];
  /** Characters of all parts: a shorter path cannot match. */
  partsLength: number;
  /** Whether the last part has to end the path. */
  isWhole: boolean;
  /** The rule with the longest pattern is the most specific. */
  length: number;
}

/**
 * Reads the path of a rule: `*` stands for anything, a `$` at the end for the end.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2.3
 */
export function readPattern(path: string): PathPattern {
  const isWhole = path.endsWith("$");
  const text = canonicalise(isWhole ? path.slice(0, -1) : path).replaceAll("$", "%24");
  const parts = text.split("*");
  const partsLength = text.length - (parts.length - 1);
  return { parts, partsLength, isWhole, length: text.length + Number(isWhole) };
}

/** The path and query of a URL, in the spelling of patterns. */
export function comparablePath(url: URL): string {
  return canonicalise(url.pathname + url.search)
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/**
 * Whether a pattern matches a comparable path. Each part is matched at its first occurrence, without backtracking, so
 * the path is searched once.
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
 * Converts equal texts to one spelling: `%62%61%7A` to `baz`, and `ツ` to `%E3%83%84`. Unescaped `*` and `$` are
 * unchanged, because they differ in meaning between paths and patterns.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
 */
function canonicalise(text: string): string {
  if (alreadyCanonical.test(text)) return text;
  return (
    encodeURI(withoutNeedlessEscapes(text).toWellFormed())
      .replaceAll("%25", "%")
      // The URL class escapes it in a query but not in a path.
      .replaceAll("'", "%27")
      .replaceAll(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
  );
}

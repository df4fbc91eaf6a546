import { withoutNeedlessEscapes } from "../../identifiers/url-escapes.ts";

/** The path of a rule, in comparable spelling, taken apart at its asterisks. */
export interface PathPattern {
  /** What stands between the asterisks: the first part begins the path. */
  parts: string[];
  /** Characters of all parts: no shorter path fits. */
  partsLength: number;
  /** Whether the last part has to end the path. */
  isWhole: boolean;
  /** By it the most specific rule is found. */
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

/** The path and query of a URL as patterns are compared with it. */
export function comparablePath(url: URL): string {
  return canonicalise(url.pathname + url.search)
    .replaceAll("*", "%2A")
    .replaceAll("$", "%24");
}

/**
 * Whether a pattern fits a comparable path. Each part is taken where it is found first, and never given back: there is
 * nothing to try again, so the time is that of looking through the path once.
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

/** What has one spelling only. */
const alreadyCanonical = /^[\w./?&=*-]*$/;

/**
 * One spelling for what is the same: `%62%61%7A` is `baz`, and `ツ` is `%E3%83%84`. An asterisk or dollar sign that
 * stands for itself is `%2A` or `%24`; what either means when it is not escaped, path and pattern know.
 * @see https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
 */
function canonicalise(text: string): string {
  if (alreadyCanonical.test(text)) return text;
  return (
    encodeURI(withoutNeedlessEscapes(text).toWellFormed())
      .replaceAll("%25", "%")
      // In a query the URL class escapes it, in a path it does not.
      .replaceAll("'", "%27")
      .replaceAll(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
  );
}

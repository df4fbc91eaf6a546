/** Identifiers as pages write them, brought into the form that records carry. */

/**
 * All ISSNs in the values, as `NNNN-NNNX`, each once, joined by ", " as Zotero joins them.
 * @see https://www.issn.org/understanding-the-issn/what-is-an-issn/
 */
export function normalizeIssns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap((value) => [...(value ?? "").matchAll(/\b(\d{4})[-‐–]?(\d{3}[\dX])\b/gi)]);
  return joinDistinct(found.map((match) => `${match[1]}-${match[2]?.toUpperCase()}`));
}

/** All ISBNs in the values, without hyphens, each once, joined by ", ". */
export function normalizeIsbns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap(
    (value) => (value ?? "").match(/\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]\b/gi) ?? [],
  );
  return joinDistinct(found.map((isbn) => isbn.replace(/[- ]/g, "").toUpperCase()));
}

/** `first-last`, with an en dash made a hyphen; a first page that is a range already stays one. */
export function formatPageRange(first: string | undefined, last: string | undefined): string | undefined {
  const start = first?.replace(/\s*[-‐–—]+\s*/, "-");
  if (start === undefined || last === undefined || last === start || start.includes("-")) return start;
  return `${start}-${last}`;
}

function joinDistinct(values: string[]): string | undefined {
  return values.length > 0 ? [...new Set(values)].join(", ") : undefined;
}

/**
 * Returns the distinct ISBNs in the values, without hyphens, joined by ", " as in Zotero.
 * @returns undefined when there is no ISBN
 */
export function normalizeIsbns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap(
    (value) => (value ?? "").match(/\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]\b/gi) ?? [],
  );
  const isbns = found.map((isbn) => isbn.replace(/[- ]/g, "").toUpperCase());
  return [...new Set(isbns)].join(", ") || undefined;
}

/** All ISBNs in the values, without hyphens, each once, joined by ", " as Zotero joins them; undefined when there is none. */
export function normalizeIsbns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap(
    (value) => (value ?? "").match(/\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]\b/gi) ?? [],
  );
  const isbns = found.map((isbn) => isbn.replace(/[- ]/g, "").toUpperCase());
  return [...new Set(isbns)].join(", ") || undefined;
}

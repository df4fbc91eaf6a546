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

/** Whether a text is an ISBN of ten digits with a right check digit, as it is printed: in four parts, or with X at its end. */
export function isPrintedIsbn10(text: string): boolean {
  if (!/^(?:\d{1,5}([- ])\d{1,7}\1\d{1,7}\1[\dX]|\d{9}X)$/i.test(text)) return false;
  const digits = text.replace(/[- ]/g, "").toUpperCase();
  const sum = [...digits].reduce(
    (all, digit, at) => all + (10 - at) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return digits.length === 10 && sum % 11 === 0;
}

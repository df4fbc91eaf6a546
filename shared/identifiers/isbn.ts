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

/** Decides whether an ISBN without hyphens has a right check digit. @see https://www.isbn-international.org/ */
export function isValidIsbn(isbn: string): boolean {
  if (!/^(?:97[89]\d{10}|\d{9}[\dX])$/.test(isbn)) return false;
  const digits = [...isbn].map((digit) => (digit === "X" ? 10 : Number(digit)));
  const isShort = digits.length === 10;
  const weights = isShort ? (at: number) => 10 - at : (at: number) => (at % 2 === 0 ? 1 : 3);
  const sum = digits.reduce((all, digit, at) => all + weights(at) * digit, 0);
  return sum % (isShort ? 11 : 10) === 0;
}

/** Whether a text is an ISBN of ten digits with a right check digit, as it is printed: in four parts, or with X at its end. */
export function isPrintedIsbn10(text: string): boolean {
  if (!/^(?:\d{1,5}([- ])\d{1,7}\1\d{1,7}\1[\dX]|\d{9}X)$/i.test(text)) return false;
  const isbn = text.replace(/[- ]/g, "").toUpperCase();
  return isbn.length === 10 && isValidIsbn(isbn);
}

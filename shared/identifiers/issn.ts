const issnPattern = /^\d{4}-\d{3}[\dX]$/i;

/**
 * Returns the problem of an invalid ISSN.
 * @returns undefined for a valid ISSN
 * @see https://www.issn.org/understanding-the-issn/assignment-rules/issn-manual/ check digit: modulus 11, weights 8 to
 * 2
 */
export function issnProblem(text: string): "form" | "check digit" | undefined {
  if (!issnPattern.test(text)) return "form";
  const digits = text.replace("-", "").toUpperCase();
  const total = [...digits.slice(0, 7)].reduce((sum, digit, at) => sum + Number(digit) * (8 - at), 0);
  const check = (11 - (total % 11)) % 11;
  return digits.endsWith(check === 10 ? "X" : String(check)) ? undefined : "check digit";
}

/**
 * Returns the distinct ISSNs in the values, as `NNNN-NNNX`, joined by ", " as in Zotero. Check digits are not tested.
 * @returns undefined when there is no ISSN
 * @see https://www.issn.org/understanding-the-issn/what-is-an-issn/
 */
export function normalizeIssns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap((value) => [...(value ?? "").matchAll(/\b(\d{4})[-‐–]?(\d{3}[\dX])\b/gi)]);
  const issns = found.map((match) => `${match[1]}-${match[2]?.toUpperCase()}`);
  return [...new Set(issns)].join(", ") || undefined;
}

/** An ORCID iD anywhere in a text. */
const orcidPattern = /\b(?:\d{4}-){3}\d{3}[\dX]\b/gi;

/**
 * Returns the bare ORCID iD in a value or URL.
 * @returns undefined when there is no iD, or its check digit is wrong
 * @see https://support.orcid.org/hc/en-us/articles/360006897674 structure of the iD: ISO 7064, mod 11-2
 */
export function normalizeOrcid(value: string | undefined): string | undefined {
  const id = value?.match(orcidPattern)?.[0].toUpperCase();
  return id !== undefined && hasValidCheckDigit(id) ? id : undefined;
}

/** Returns the distinct iDs in the texts that are well-formed but have a wrong check digit. */
export function findInvalidOrcids(texts: readonly string[]): string[] {
  const ids = texts.flatMap((text) => text.match(orcidPattern) ?? []);
  return [...new Set(ids)].filter((id) => !hasValidCheckDigit(id.toUpperCase()));
}

function hasValidCheckDigit(id: string): boolean {
  const digits = id.replaceAll("-", "");
  const total = [...digits.slice(0, 15)].reduce((sum, digit) => (sum + Number(digit)) * 2, 0);
  const check = (12 - (total % 11)) % 11;
  return digits.endsWith(check === 10 ? "X" : String(check));
}

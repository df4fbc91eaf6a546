/** Identifiers as pages write them, brought into the form that records carry. */

/**
 * All ISSNs in the values, as `NNNN-NNNX`, each once, joined by ", " as Zotero joins them.
 * @see https://www.issn.org/understanding-the-issn/what-is-an-issn/
 */
export function normalizeIssns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap((value) => [...(value ?? "").matchAll(/\b(\d{4})[-‐–]?(\d{3}[\dX])\b/gi)]);
  return joined(found.map((match) => `${match[1]}-${match[2]?.toUpperCase()}`));
}

/** All ISBNs in the values, without hyphens, each once, joined by ", ". */
export function normalizeIsbns(values: readonly (string | undefined)[]): string | undefined {
  const found = values.flatMap(
    (value) => (value ?? "").match(/\b(?:97[89][- ]?)?(?:\d[- ]?){9}[\dX]\b/gi) ?? [],
  );
  return joined(found.map((isbn) => isbn.replace(/[- ]/g, "").toUpperCase()));
}

/**
 * The bare ORCID iD in a value; undefined when there is none or its check digit is wrong.
 * @see https://support.orcid.org/hc/en-us/articles/360006897674 structure of the iD: ISO 7064, mod 11-2
 */
export function normalizeOrcid(value: string | undefined): string | undefined {
  const id = /\b(?:\d{4}-){3}\d{3}[\dX]\b/i.exec(value ?? "")?.[0].toUpperCase();
  if (id === undefined) return undefined;
  const digits = id.replaceAll("-", "");
  const total = [...digits.slice(0, 15)].reduce((sum, digit) => (sum + Number(digit)) * 2, 0);
  const check = (12 - (total % 11)) % 11;
  return digits.endsWith(check === 10 ? "X" : String(check)) ? id : undefined;
}

/** `first-last`, with an en dash made a hyphen; a first page that is a range already stays one. */
export function pageRange(first: string | undefined, last: string | undefined): string | undefined {
  const start = first?.replace(/\s*[-‐–—]+\s*/, "-");
  if (start === undefined || last === undefined || last === start || start.includes("-")) return start;
  return `${start}-${last}`;
}

function joined(values: string[]): string | undefined {
  return values.length > 0 ? [...new Set(values)].join(", ") : undefined;
}

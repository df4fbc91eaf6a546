/** Identifiers as pages write them, brought into the form that records carry. */

/** A DOI may be longer; none in use is, and what is longer is a text that cites one. */
const MAX_DOI_CHARS = 500;

/**
 * The bare DOI in `10.…`, `doi:10.…`, `info:doi/10.…` or a resolver's URL; undefined when there is none.
 * @see https://www.doi.org/doi-handbook/HTML/
 */
export function normalizeDoi(value: string | undefined): string | undefined {
  if (value === undefined || value.length > MAX_DOI_CHARS) return undefined;
  const isUrl = /^\s*https?:/i.test(value);
  const found = /\b10\.\d{4,9}\/[^\s"]+/.exec(isUrl ? unescaped(value) : value)?.[0];
  const doi = (isUrl ? found?.replace(/[?#].*$/, "") : found)?.replace(/[.,;]+$/, "");
  return doi?.endsWith(")") && !doi.includes("(") ? doi.slice(0, -1) : doi;
}

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

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function joined(values: string[]): string | undefined {
  return values.length > 0 ? [...new Set(values)].join(", ") : undefined;
}

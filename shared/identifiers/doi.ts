/** Parses DOIs in all forms that feeds and pages use. @see https://www.doi.org/doi-handbook/HTML/doi-name-syntax.html */

const resolver = /^https?:\/\/(?:(?:www|dx)\.)?doi\.org\/\s*/i;
const resolverAlone = /^(?=(?:(?:www|dx)\.)?doi\.org\/)/i;
const doiPrefix = /^(?:info:|urn:)?doi[:/]\s*/i;
const bareDoi = /^10\.\d{4,9}(?:\.\d+)*\/\S+$/;
const doiInTextPattern = /\b10\.\d{4,9}\/[^\s"]+/;
const doiInPathPattern = /(?<![\w.])10\.\d{4,9}\/[^\s?#]+/;
const doiInResolverPattern = /10\.\d{4,9}(?:\.\d+)*\/\S+/;

/** Longer than any DOI in use. A longer text only cites a DOI. */
const maxChars = 500;

/** Path segments and endings that publishers append to a DOI for views of an article. "" is a trailing slash. */
const viewPathSegments: ReadonlySet<string> = new Set([
  "",
  ..."full fulltext full-text abstract abs summary pdf pdfdirect epdf epub html meta references".split(" "),
]);
const viewEnding = /\.(?:pdf|full|abstract|html?)$/i;

/** Parses a text that is a DOI: "10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182". */
export function parseDoi(identifier: string | undefined): string | undefined {
  const name = (identifier?.trim() ?? "").replace(doiPrefix, "").replace(resolverAlone, "https://");
  if (resolver.test(name)) return findDoiInUrl(name);
  return [name, unescaped(name)].find((form) => bareDoi.test(form));
}

/** Returns the DOI in a DOI field. The field may have a DOI, the URL of an article, or a text with a DOI. */
export function findFieldDoi(text: string): string | undefined {
  return parseDoi(text) ?? findFirstDoi([text]);
}

/** Returns the DOI in a URL's path, or in the value of one of its parameters. */
export function findDoiInUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  // In a resolver URL, everything after the host is the DOI, including a "#".
  if (resolver.test(parsed.href))
    return doiInResolverPattern.exec(unescaped(parsed.pathname + parsed.hash))?.[0];
  const doi = doiInPathPattern.exec(unescaped(parsed.pathname))?.[0];
  if (doi !== undefined) return withoutViewSuffix(doi);
  for (const value of parsed.searchParams.values()) {
    const stated = parseDoi(value);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

/** Returns the first DOI in the texts: alone, in a URL, or in a sentence, without the punctuation that follows it. */
export function findFirstDoi(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    if (text === undefined || text.length > maxChars) continue;
    const doi = /^\s*https?:/i.test(text) ? findDoiInUrl(text) : doiInTextPattern.exec(text)?.[0];
    if (doi !== undefined) return withoutPunctuation(doi);
  }
  return undefined;
}

/**
 * Returns the archive key of the DOI in a text or URL. The key is in lower case, because DOIs are case-insensitive. If
 * the whole text is a DOI, it is used completely: if it were cut short, all articles of an issue could get the same
 * key. In other texts, the match stops at anything that a URL may append. Trailing slashes and punctuation are removed,
 * because no DOI in use ends with them.
 * @see https://www.crossref.org/blog/dois-and-matching-regular-expressions/
 */
export function doiKey(text: string): string | undefined {
  const doi = parseDoi(text) ?? /10\.\d{4,9}\/[-._;()/:a-z0-9<>+]+/i.exec(unescaped(text))?.[0];
  return doi?.toLowerCase().replace(/(?<=^10\.\d+\/.*[^.,;/])[.,;/]+$/, "");
}

/** Returns the URL of a DOI, unescaped, as it is written to records. */
export function doiUrl(doi: string): string {
  return `https://doi.org/${doi}`;
}

/** Returns the URL of a DOI, escaped for a request. */
export function escapedDoiUrl(doi: string): string {
  return doiUrl(encodeURIComponent(doi).replaceAll("%2F", "/"));
}

function withoutPunctuation(text: string): string {
  const doi = text.replace(/[.,;]+$/, "");
  return doi.endsWith(")") && !doi.includes("(") ? doi.slice(0, -1) : doi;
}

function withoutViewSuffix(doi: string): string {
  const steps = doi.split("/");
  while (steps.length > 2 && viewPathSegments.has(steps.at(-1)?.toLowerCase() ?? "")) steps.pop();
  return steps.join("/").replace(viewEnding, "");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An article must not be lost because of a malformed escape.
    return text;
  }
}

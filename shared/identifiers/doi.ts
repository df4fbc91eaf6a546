/** DOIs as strangers write them. @see https://www.doi.org/doi-handbook/HTML/doi-name-syntax.html */

const resolver = /^https?:\/\/(?:(?:www|dx)\.)?doi\.org\/\s*/i;
const resolverAlone = /^(?=(?:(?:www|dx)\.)?doi\.org\/)/i;
const doiPrefix = /^(?:info:|urn:)?doi[:/]\s*/i;
const bareDoi = /^10\.\d{4,9}(?:\.\d+)*\/\S+$/;
const doiInTextPattern = /\b10\.\d{4,9}\/[^\s"]+/;
const doiInPathPattern = /(?<![\w.])10\.\d{4,9}\/[^\s?#]+/;
const doiInResolverPattern = /10\.\d{4,9}(?:\.\d+)*\/\S+/;

/** A DOI may be longer; none in use is, and what is longer is a text that cites one. */
const maxChars = 500;

/** What publishers append to a DOI for the views of an article, as a step of the path (or a bare slash) or as an ending. */
const viewPathSegments: ReadonlySet<string> = new Set([
  "",
  ..."full fulltext full-text abstract abs summary pdf pdfdirect epdf epub html meta references".split(" "),
]);
const viewEnding = /\.(?:pdf|full|abstract|html?)$/i;

/** The DOI that an identifier states, and nothing else: "10.1000/182", "doi:10.1000/182", "https://doi.org/10.1000/182". */
export function parseDoi(identifier: string | undefined): string | undefined {
  const name = (identifier?.trim() ?? "").replace(doiPrefix, "").replace(resolverAlone, "https://");
  if (resolver.test(name)) return findDoiInUrl(name);
  return [name, unescaped(name)].find((form) => bareDoi.test(form));
}

/** The DOI that is meant by what stands in a field for one: stated, in the URL of an article, or in a text. */
export function findFieldDoi(text: string): string | undefined {
  return parseDoi(text) ?? findFirstDoi([text]);
}

/** The DOI that a URL has in its path or as the value of a parameter. */
export function findDoiInUrl(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  // A resolver has no views of an article: all that follows is the name, a # too.
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

/** The first DOI in the texts: by itself, in a URL, or in a sentence, whose full stop or bracket is none of it. */
export function findFirstDoi(texts: readonly (string | undefined)[]): string | undefined {
  for (const text of texts) {
    if (text === undefined || text.length > maxChars) continue;
    const doi = /^\s*https?:/i.test(text) ? findDoiInUrl(text) : doiInTextPattern.exec(text)?.[0];
    if (doi !== undefined) return withoutPunctuation(doi);
  }
  return undefined;
}

/**
 * The DOI in a text or URL as the archive's key, in lower case since DOIs ignore case. A stated DOI is keyed whole: cut
 * short, all articles of an issue may have one key. Of other texts a pattern tells, which stops at whatever a URL may
 * append, and knows nothing of publishers' views. No DOI in use ends with a slash or the punctuation of a sentence.
 * @see https://www.crossref.org/blog/dois-and-matching-regular-expressions/
 */
export function doiKey(text: string): string | undefined {
  const doi = parseDoi(text) ?? /10\.\d{4,9}\/[-._;()/:a-z0-9<>+]+/i.exec(unescaped(text))?.[0];
  return doi?.toLowerCase().replace(/(?<=^10\.\d+\/.*[^.,;/])[.,;/]+$/, "");
}

/** The address of a DOI as records carry it. */
export function doiUrl(doi: string): string {
  return `https://doi.org/${doi}`;
}

/** The address of a DOI, escaped so that it can be asked for. */
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
    // A lone % is a fault of the address, not a reason to lose the article.
    return text;
  }
}

/**
 * The keys by which the archive recognises a record: its DOI, its addresses, the hash of its contents. Forms that mean the
 * same give the same key.
 */

/** The syntax of DOIs that covers all but some from before the year 2000. @see https://www.crossref.org/blog/dois-and-matching-regular-expressions/ */
const doiPattern = /10\.\d{4,9}\/[-._;()/:a-z0-9]+/i;

/**
 * Sorted, so that two deliveries that claim overlapping keys meet at the same one first.
 * @param hash upper-case hex
 */
export function archiveKeys(record: {
  doi?: string | undefined;
  urls: string[];
  hash?: string | undefined;
}): string[] {
  const keys = new Set<string>();
  for (const text of [record.doi, ...record.urls]) {
    const doi = text === undefined ? undefined : doiIn(text);
    if (doi !== undefined) keys.add(`doi:${doi}`);
  }
  for (const url of record.urls) keys.add(urlKey(url));
  if (record.hash !== undefined) keys.add(`hash:${record.hash}`);
  return [...keys].sort();
}

/** The DOI within a text (`doi:…`, a resolver's URL, a landing page's URL), in lower case: DOIs ignore case. */
function doiIn(text: string): string | undefined {
  return doiPattern
    .exec(decoded(text))?.[0]
    .toLowerCase()
    .replace(/[.;]+$/, "");
}

/** http and https, a trailing slash, the fragment and the host's case make no difference. */
function urlKey(text: string): string {
  if (!URL.canParse(text)) return `url:${text.trim()}`;
  const url = new URL(text);
  return `url:${url.host}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

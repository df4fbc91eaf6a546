import { doiKey } from "./doi.ts";

/**
 * The keys by which the archive recognises a record: its DOI, its addresses, the hash of its contents. Forms that mean the
 * same give the same key. Sorted, so that two deliveries that claim overlapping keys meet at the same one first.
 * @param hash upper-case hex
 */
export function archiveKeys(record: {
  doi?: string | undefined;
  urls: string[];
  hash?: string | undefined;
}): string[] {
  const keys = new Set<string>();
  for (const text of [record.doi, ...record.urls]) {
    const doi = text === undefined ? undefined : doiKey(text);
    if (doi !== undefined) keys.add(`doi:${doi}`);
  }
  for (const url of record.urls) keys.add(urlKey(url));
  if (record.hash !== undefined) keys.add(`hash:${record.hash}`);
  return [...keys].sort();
}

/** http and https, a trailing slash, the fragment and the host's case make no difference. */
function urlKey(text: string): string {
  if (!URL.canParse(text)) return `url:${text.trim()}`;
  const url = new URL(text);
  return `url:${url.host}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}

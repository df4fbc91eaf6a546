import { digest } from "../core/digest.ts";
import { doiKey, findDoiInUrl, parseDoi } from "../identifiers/doi.ts";
import { withoutTrackingParameters } from "../identifiers/tracking-parameters.ts";
import { withoutNeedlessEscapes } from "../identifiers/url-escapes.ts";
import type { DeliveryMode } from "../sources/source.ts";

const maxKeyBytes = 1000;

/**
 * The keys by which the archive recognises a record: its DOI, its addresses, the hash of its contents. Forms that mean the
 * same give the same key. Sorted, so that two deliveries that claim overlapping keys meet at the same one first.
 * What was delivered to the test system is not delivered to the library: its keys are others. Those of previews are nobody's.
 * @param hash upper-case hex
 */
export function buildArchiveKeys(
  record: { doi?: string | undefined; urls: string[]; hash?: string | undefined },
  mode: DeliveryMode,
): string[] {
  const keys = new Set<string>();
  // A URL gives its DOI as it stands and without what a publisher appends for a view of the article.
  for (const text of [record.doi, ...record.urls, ...record.urls.map(findDoiInUrl)]) {
    const doi = text === undefined ? undefined : doiKey(text);
    if (doi !== undefined) keys.add(`doi:${doi}`);
  }
  for (const url of record.urls) {
    if (parseDoi(url) !== undefined) continue;
    const own = withoutTrackingParameters(url);
    // As given, too: until 2026-11 what was delivered is known by that alone.
    for (const address of [withoutNeedlessEscapes(own), own, url]) keys.add(urlKey(address));
  }
  if (record.hash !== undefined) keys.add(`hash:${record.hash}`);
  return [...keys].map((key) => prefixMode(truncateKey(key), mode)).sort();
}

/** The key under which the archive describes a record. */
export function archiveEntryKey(recordId: string, mode: DeliveryMode): string {
  return prefixMode(`record:${recordId}`, mode);
}

function prefixMode(key: string, mode: DeliveryMode): string {
  return mode === "LIVE" ? key : `${mode.toLowerCase()}:${key}`;
}

/** DynamoDB takes keys of up to 2 048 bytes; a URL may be longer. */
function truncateKey(key: string): string {
  return Buffer.byteLength(key) <= maxKeyBytes ? key : `${key.slice(0, 100)}#${digest(key)}`;
}

/** http and https, a trailing slash, the fragment and case make no difference; a fragment that is a path of the site does. */
function urlKey(text: string): string {
  if (!URL.canParse(text)) return `url:${text.trim().toLowerCase()}`;
  const url = new URL(text);
  const route = /^#[!/]/.test(url.hash) ? url.hash : "";
  return `url:${url.host}${url.pathname.replace(/\/+$/, "")}${url.search}${route}`.toLowerCase();
}

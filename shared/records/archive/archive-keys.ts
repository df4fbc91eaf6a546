import { digest } from "../../core/digest.ts";
import { normalizeForComparison } from "../../formats/comparable-text.ts";
import { doiKey, findDoiInUrl, parseDoi } from "../../identifiers/doi.ts";
import { withoutTrackingParameters } from "../../identifiers/tracking-parameters.ts";
import { withoutNeedlessEscapes } from "../../identifiers/url-escapes.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { type DeliveryMode, deliveryModes } from "../sources/delivery-mode.ts";

const maxKeyBytes = 1000;

/** Whose keys: those of a delivery mode, or of the articles that polls have read without a delivery. */
type ArchiveKeyMode = DeliveryMode | "READ";

/**
 * The mode of the keys by which a run knows articles. A preview knows none.
 * @param run.harvestOf the source of a poll
 */
export function archiveModeOf({
  deliveryMode,
  harvestOf,
}: {
  deliveryMode: DeliveryMode;
  harvestOf?: string;
}): ArchiveKeyMode {
  return deliveryMode === "NONE" && harvestOf !== undefined ? "READ" : deliveryMode;
}

/**
 * The keys by which the archive recognises a record: its DOI, its URLs, the hash of its contents. Equivalent forms give the same
 * key. The keys are sorted, so that two deliveries with overlapping keys compete for the same one first. Each delivery mode has
 * its own keys, as a delivery to the test system is not a delivery to the library.
 * @param hash upper-case hex
 */
export function buildArchiveKeys(
  record: { doi?: string | undefined; urls: string[]; hash?: string | undefined },
  mode: ArchiveKeyMode,
): string[] {
  const keys = new Set<string>();
  // A URL may contain the DOI as it is, or followed by what the publisher appends for a view of the article.
  for (const text of [record.doi, ...record.urls, ...record.urls.map(findDoiInUrl)]) {
    const doi = text === undefined ? undefined : doiKey(text);
    if (doi !== undefined) keys.add(`doi:${doi}`);
  }
  for (const url of record.urls) {
    if (parseDoi(url) !== undefined) continue;
    const own = withoutTrackingParameters(url);
    // The URL as given, too: records delivered before 2026-11 have that key alone.
    for (const address of [withoutNeedlessEscapes(own), own, url]) keys.add(urlKey(address));
  }
  if (record.hash !== undefined) keys.add(`hash:${record.hash}`);
  return [...keys].map((key) => prefixMode(truncateKey(key), mode)).sort();
}

/** A shorter title names an article only together with its first page: "Editorial", "Book reviews". */
const minTitleLetters = 30;

/**
 * The key by which an article is perhaps recognised under another host: ISSN, year, volume, issue, first page and title.
 * It does not block a delivery on its own: two articles may have it in common.
 * @returns undefined when too much of it is missing
 */
export function buildMatchKey(record: MarcRecord, mode: DeliveryMode): string | undefined {
  const subfield = (tag: string, code: string) =>
    record.fields.find(([each]) => each === tag)?.[2].find(([each]) => each === code)?.[1] ?? "";
  const title = normalizeForComparison(subfield("245", "a"));
  const issn = subfield("773", "x").toUpperCase();
  const [year, volume, issue] = ["j", "d", "e"].map((code) => normalizeForComparison(subfield("936", code)));
  const pages = subfield("936", "i") || subfield("936", "h");
  const firstPage = /[\p{L}\d]+/u.exec(pages)?.[0].toLowerCase() ?? "";
  const isNamed = title.length >= minTitleLetters || (title !== "" && firstPage !== "");
  if (!issn || !year || !volume || !isNamed) return undefined;
  return prefixMode(`match:${digest(issn, year, volume, issue ?? "", firstPage, title)}`, mode);
}

/**
 * The URLs that have another key than the list's: the address of a list or a search is that of none of its articles. Known
 * by it, all of them would be one article, and the list would never be asked for again.
 */
export function withoutListAddress(urls: string[], list: string): string[] {
  return urls.filter(
    (url) => urlKey(withoutTrackingParameters(url)) !== urlKey(withoutTrackingParameters(list)),
  );
}

/** The key of the item that describes a record in the archive. */
export function archiveEntryKey(recordId: string, mode: DeliveryMode): string {
  return prefixMode(`record:${recordId}`, mode);
}

const minTitleChars = 2;
const maxTitleChars = 200;

/**
 * Where an index of titles has a title: `partition` by mode and first letters, `place` by all letters. A title is found by its
 * beginning, in any case, without accents and punctuation.
 * @returns undefined for a title of fewer than two letters
 */
export function titlePlace(
  title: string,
  mode: DeliveryMode,
): { partition: string; place: string } | undefined {
  const letters = title.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const place = letters
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, maxTitleChars);
  if (place.length < minTitleChars) return undefined;
  return { partition: `${mode} ${place.slice(0, minTitleChars)}`, place };
}

function prefixMode(key: string, mode: ArchiveKeyMode): string {
  return mode === "LIVE" ? key : `${mode.toLowerCase()}:${key}`;
}

/** The mode of an entry's key. */
export function modeOfKey(entryKey: string): DeliveryMode {
  return deliveryModes.find((mode) => entryKey.startsWith(`${mode.toLowerCase()}:`)) ?? "LIVE";
}

/** DynamoDB takes keys of up to 2 048 bytes; a URL may be longer. */
function truncateKey(key: string): string {
  return Buffer.byteLength(key) <= maxKeyBytes ? key : `${key.slice(0, 100)}#${digest(key)}`;
}

/** Ignores the scheme, a trailing slash, the fragment and case; keeps a fragment that is a route of the site. */
function urlKey(text: string): string {
  if (!URL.canParse(text)) return `url:${text.trim().toLowerCase()}`;
  const url = new URL(text);
  const route = /^#[!/]/.test(url.hash) ? url.hash : "";
  return `url:${url.host}${url.pathname.replace(/\/+$/, "")}${url.search}${route}`.toLowerCase();
}

import { digest } from "../../core/digest.ts";
import { normalizeForComparison, withoutMarks } from "../../formats/comparable-text.ts";
import { doiKey, findDoiInUrl, parseDoi } from "../../identifiers/doi.ts";
import { withoutTrackingParameters } from "../../identifiers/tracking-parameters.ts";
import { withoutNeedlessEscapes } from "../../identifiers/url-escapes.ts";
import type { MarcRecord } from "../../marc/record.ts";
import { type DeliveryMode, deliveryModes } from "../sources/delivery-mode.ts";

const maxKeyBytes = 1000;

/** The owner of the keys: a delivery mode, or `READ` for the articles that polls have read without a delivery. */
type ArchiveKeyMode = DeliveryMode | "READ";

/**
 * Returns the mode of the keys by which a run recognises articles. A preview recognises none.
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
 * Returns the keys by which the archive recognises a record: its DOI, its URLs, and the hash of its contents.
 * Equivalent forms yield the same key. The keys are sorted, so that two deliveries with overlapping keys compete for
 * the same key first. Each delivery mode has separate keys, because a delivery to the test system is not a delivery to
 * the library.
 * @param hash upper-case hex
 */
export function buildArchiveKeys(
  record: { doi?: string | undefined; urls: string[]; hash?: string | undefined },
  mode: ArchiveKeyMode,
): string[] {
  const keys = new Set<string>();
  // A URL may contain the DOI unchanged, or followed by a suffix with which the publisher selects a view of the
  // article.
  for (const text of [record.doi, ...record.urls, ...record.urls.map(findDoiInUrl)]) {
    const doi = text === undefined ? undefined : doiKey(text);
    if (doi !== undefined) keys.add(`doi:${doi}`);
  }
  for (const url of record.urls) {
    if (parseDoi(url) !== undefined) continue;
    const own = withoutTrackingParameters(url);
    // The URL as given is also used, because records delivered before November 2026 have only that key.
    for (const address of [withoutNeedlessEscapes(own), own, url]) keys.add(urlKey(address));
  }
  if (record.hash !== undefined) keys.add(`hash:${record.hash}`);
  return [...keys].map((key) => prefixMode(truncateKey(key), mode)).sort();
}

/**
 * The number of letters from which a title identifies an article even without its first page. Shorter titles, such as
 * "Editorial" or "Book reviews", need the first page.
 */
const minTitleLetters = 30;

/**
 * Returns the key by which an article may be recognised under another host. It consists of ISSN, year, volume, issue,
 * first page and title. The key alone does not block a delivery, because two articles may share it.
 * @returns undefined when too many of these parts are missing
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
 * Returns the URLs whose key differs from that of the list. The address of a list or a search identifies none of its
 * articles. If it were used as a key, all articles of the list would count as one, and the list would never be
 * requested again.
 */
export function withoutListAddress(urls: string[], list: string): string[] {
  return urls.filter(
    (url) => urlKey(withoutTrackingParameters(url)) !== urlKey(withoutTrackingParameters(list)),
  );
}

/** Returns the key of the item that describes a record in the archive. */
export function archiveEntryKey(recordId: string, mode: DeliveryMode): string {
  return prefixMode(`record:${recordId}`, mode);
}

const minTitleChars = 2;
const maxTitleChars = 200;

/**
 * Returns the place of a title in the index of titles: `partition` consists of the mode and the first letters, `place`
 * of all letters. Titles are found by their beginning, regardless of case, accents and punctuation.
 * @returns undefined for a title of fewer than two letters
 */
export function titlePlace(
  title: string,
  mode: DeliveryMode,
): { partition: string; place: string } | undefined {
  const letters = withoutMarks(title).toLowerCase();
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

/** Returns the delivery mode to which the key of an entry belongs. */
export function modeOfKey(entryKey: string): DeliveryMode {
  return deliveryModes.find((mode) => entryKey.startsWith(`${mode.toLowerCase()}:`)) ?? "LIVE";
}

/** Truncates a key, because DynamoDB keys have at most 2,048 bytes and a URL may be longer. */
function truncateKey(key: string): string {
  return Buffer.byteLength(key) <= maxKeyBytes ? key : `${key.slice(0, 100)}#${digest(key)}`;
}

/**
 * Returns the key of a URL. Scheme, trailing slash, fragment and case are ignored, except for a fragment that is a
 * route of the site.
 */
function urlKey(text: string): string {
  if (!URL.canParse(text)) return `url:${text.trim().toLowerCase()}`;
  const url = new URL(text);
  const route = /^#[!/]/.test(url.hash) ? url.hash : "";
  return `url:${url.host}${url.pathname.replace(/\/+$/, "")}${url.search}${route}`.toLowerCase();
}

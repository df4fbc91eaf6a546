import { filterKey } from "./import-filters.ts";
import type { IniEntry } from "./ini.ts";
import { hostDelayPrefixes } from "./ini-keys.ts";

/** The keys that the fields of settings, groups and sources are read from, where a schema may refuse what stands there. */
const keys: Record<string, string> = {
  commonDateFormats: "common_strptime_format",
  crawlTimeoutSeconds: "timeout_crawl_operation",
  requestTimeoutSeconds: "timeout_download_request",
  defaultDelayMs: "default_download_delay_time",
  maxDelayMs: "max_download_delay_time",
  licences: "enhancement_maps_directory",
  nameBlacklist: "enhancement_maps_directory",
  isil: "isil",
  userAgent: "user_agent",
  outputFolder: "output_folder",
  authorLookupUrl: "author_swb_lookup_url",
  sourceId: "zeder_id",
  zederId: "zeder_id",
  url: "zotero_url",
  updateWindowDays: "zotero_update_window",
  "online.issn": "online_issn",
  "online.ppn": "online_ppn",
  "print.issn": "print_issn",
  "print.ppn": "print_ppn",
  dateFormats: "zotero_strptime_format",
  expectedLanguages: "zotero_expected_languages",
  reviewRegex: "zotero_review_regex",
  notesRegex: "zotero_notes_regex",
  ssgn: "ssgn",
  license: "license",
  tiefp: "tiefp",
  additionalSelectors: "additional_selectors",
  "crawl.maxDepth": "zotero_max_crawl_depth",
  "crawl.extractionRegex": "zotero_extraction_regex",
  "crawl.urlRegex": "zotero_crawl_url_regex",
  "email.subjectRegex": "emailcrawl_subject_regex",
  "pagedRss.pages": "paged_rss_range",
  "pagedRss.size": "paged_rss_size",
  "pagedRss.delayMs": "paged_rss_delay_time",
};

/**
 * Tells the key that a field was read from, given the path by which a schema names it; undefined for what stands in the
 * section's header. Filters have no key of their own: they are those of their kind, in the order of the section.
 */
export function buildKeyLookup(
  entries: ReadonlyMap<string, IniEntry>,
): (path: readonly PropertyKey[]) => string | undefined {
  const byKind = Map.groupBy(entries.keys(), (key) => filterKey(key)?.kind as string | undefined);
  return (path) => {
    const [field, ...rest] = path.map(String);
    if (field === "filters" || field === "addFields") {
      const [kind, index] = field === "filters" ? rest : [field, ...rest];
      return byKind.get(kind)?.[Number(index)];
    }
    if (field === "hostDelays") {
      const [host = "", delay] = rest;
      const ofHost = Object.entries(hostDelayPrefixes).filter(
        ([name]) => delay === undefined || delay === name,
      );
      return ofHost.map(([, prefix]) => `${prefix}${host}`).find((key) => entries.has(key));
    }
    return keys[`${field}.${rest[0]}`] ?? keys[String(field)];
  };
}

export const globalKeys: ReadonlySet<string> = new Set([
  "enhancement_maps_directory",
  "groups",
  "subgroups",
  "common_strptime_format",
  "skip_online_first_articles_unconditionally",
  "default_download_delay_time",
  "max_download_delay_time",
  "zotero_review_regex",
  "zotero_notes_regex",
  "timeout_crawl_operation",
  "timeout_download_request",
]);

export const groupKeys: ReadonlySet<string> = new Set([
  "user_agent",
  "isil",
  "output_folder",
  "author_swb_lookup_url",
  "author_lobid_lookup_query_params",
]);

export const journalKeys: ReadonlySet<string> = new Set([
  "zeder_id",
  "zeder_modified_time",
  "zeder_newly_synced_entry",
  "zotero_group",
  "zotero_subgroup",
  "zotero_url",
  "zotero_type",
  "zotero_delivery_mode",
  "online_issn",
  "online_ppn",
  "print_issn",
  "print_ppn",
  "zotero_strptime_format",
  "zotero_update_window",
  "zotero_review_regex",
  "zotero_notes_regex",
  "zotero_expected_languages",
  "force_language_detection",
  "ssgn",
  "license",
  "tiefp",
  "selective_evaluation",
  "additional_selectors",
  "zotero_max_crawl_depth",
  "zotero_extraction_regex",
  "zotero_crawl_url_regex",
  "emailcrawl_subject_regex",
  "pages_not_online_first",
  "paged_rss",
  "paged_rss_size",
  "paged_rss_range",
  "paged_rss_delay_time",
]);

/** Keys that end in a host's name. */
export const hostDelayPrefixes = {
  defaultMs: "default_download_delay_time_",
  maxMs: "max_download_delay_time_",
} as const;

export function isHostDelayKey(key: string): boolean {
  return Object.values(hostDelayPrefixes).some((prefix) => key.startsWith(prefix));
}

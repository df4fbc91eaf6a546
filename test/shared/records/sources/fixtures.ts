/** A small configuration: two groups, a subgroup, and the lines of a journal. */
export function configuration(journal: string[], globals: string[] = []): string {
  return `
enhancement_maps_directory = maps
groups = IxTheo,Other
subgroups = RelBib
common_strptime_format = "%Y-%m-%d|%Y"
skip_online_first_articles_unconditionally = false
timeout_crawl_operation = 1800
timeout_download_request = 60
${globals.join("\n")}
[IxTheo]
user_agent = "test/1.0 (see https://example.org)"
isil = DE-Tue135
output_folder = ixtheo
author_swb_lookup_url = https://example.org/names?q=
add_marc_field_887 = "8873 \\037aorcid: %orcid%\\0372ixzom"
[Other]
user_agent = other
isil = DE-1
output_folder = other
author_swb_lookup_url = https://example.org/names?q=
[RelBib]
author_swb_lookup_url = https://example.org/relbib?q=
[A journal : of tests]
${journal.join("\n")}
`;
}

/** The lines that a journal cannot do without. */
export const journal = [
  "zeder_id = 4711",
  "zotero_group = IxTheo",
  "zotero_type = RSS",
  "zotero_url = https://example.org/feed",
  "online_issn = 2049-3630",
  "online_ppn = 320636356",
];

import { type Settings, settings } from "../../settings.ts";
import { type FieldKeyOf, fieldKeys } from "./field-keys.ts";
import { filterKeys } from "./filter-keys.ts";
import { hostDelayKeys } from "./host-delay-keys.ts";
import { knownFormats } from "./journal-formats.ts";
import type { SectionKeys } from "./key-table.ts";
import { boolean, commaListOf, countOf, pattern, text, type ValueFormat } from "./value-formats.ts";

/** The settings, with the names of the sections of groups and subgroups. */
export type GlobalFields = Omit<Settings, "hostDelays"> & { groupIds: string[]; subgroupIds: string[] };

const commonDateFormats: ValueFormat<string[]> = {
  values: "[date formats](#date-formats), separated by `|`",
  parse(reader, key) {
    const value = reader.text(key) ?? "";
    if (value.startsWith("(")) reader.refuse(key, "Cannot specify locale in global strptime_format");
    const formats = value.split("|").filter(Boolean);
    const known = knownFormats(reader, key, formats);
    if (formats.length > 0 && known.length === 0 && !reader.isRefused)
      reader.refuseEntry(key, "none of the date formats is known");
    return known;
  },
  print: (formats) => formats.join("|"),
};

const beforeHostDelays: FieldKeyOf<GlobalFields>[] = [
  {
    key: "enhancement_maps_directory",
    field: "enhancementMapsDirectory",
    format: text,
    isRequired: true,
    reports: ["licences", "nameBlacklist"],
    meaning: "The folder of the [lists](#lists), relative to the file. `--maps` overrides this folder.",
    example: "maps",
  },
  {
    key: "groups",
    field: "groupIds",
    format: commaListOf("names of sections"),
    isRequired: true,
    meaning: "The groups. Each group has a section.",
    example: "IxTheo,KrimDok",
  },
  {
    key: "subgroups",
    field: "subgroupIds",
    format: commaListOf("names of sections"),
    meaning: "The subgroups. Each subgroup has a section.",
    example: "RelBib",
  },
  {
    key: "common_strptime_format",
    field: "commonDateFormats",
    format: commonDateFormats,
    isRequired: true,
    meaning: "Date formats for all journals. They are tried in this order, after the formats of the journal.",
    example: "%Y-%m-%d|%d.%m.%Y|%B %d, %Y|%Y",
  },
  {
    key: "current_year_if_undated",
    field: "currentYearIfUndated",
    format: boolean,
    meaning:
      "Whether the record of an article without a date gets the year of the harvest. Otherwise the record has no year.",
    example: "true",
  },
  {
    key: "default_download_delay_time",
    field: "defaultDelayMs",
    format: countOf("milliseconds"),
    isAlwaysWritten: true,
    meaning: "The delay between two requests to a host.",
    example: "1000",
  },
  {
    key: "max_download_delay_time",
    field: "maxDelayMs",
    format: countOf("milliseconds"),
    isAlwaysWritten: true,
    meaning: "The maximum Crawl-delay of a robots.txt that is obeyed; not less than the default delay.",
    example: "5000",
  },
];

const afterHostDelays: FieldKeyOf<GlobalFields>[] = [
  {
    key: "timeout_crawl_operation",
    field: "crawlTimeoutSeconds",
    format: countOf("seconds"),
    isRequired: true,
    meaning: "The time limit of the crawl of a journal.",
    example: "1800",
  },
  {
    key: "timeout_download_request",
    field: "requestTimeoutSeconds",
    format: countOf("seconds"),
    isRequired: true,
    meaning:
      "The time limit of requests that `npx ingather harvest` and `preview` send to the translation server.",
    example: "60",
  },
  {
    key: "skip_online_first_articles_unconditionally",
    field: "skipOnlineFirst",
    format: boolean,
    isRequired: true,
    meaning: "Whether articles without volume and issue are dropped even if they have a DOI.",
    example: "false",
  },
  {
    key: "zotero_review_regex",
    field: "reviewRegex",
    format: pattern,
    meaning: "An article is a review if its title, short title or a keyword matches.",
    example: "(?i)^book reviews?",
  },
  {
    key: "zotero_notes_regex",
    field: "notesRegex",
    format: pattern,
    meaning: "An article is a note if its title matches.",
    example: "(?i)^publisher's note",
  },
];

/** The keys before the first section's header. */
export const globalKeys: SectionKeys = [
  fieldKeys(settings, beforeHostDelays),
  hostDelayKeys,
  fieldKeys(settings, afterHostDelays),
  filterKeys,
];

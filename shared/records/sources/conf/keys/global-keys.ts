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
    meaning: "The folder of the [lists](#lists), seen from the file. `--maps` names another one.",
    example: "maps",
  },
  {
    key: "groups",
    field: "groupIds",
    format: commaListOf("names of sections"),
    isRequired: true,
    meaning: "The groups. Each has a section.",
    example: "IxTheo,KrimDok",
  },
  {
    key: "subgroups",
    field: "subgroupIds",
    format: commaListOf("names of sections"),
    meaning: "The subgroups. Each has a section.",
    example: "RelBib",
  },
  {
    key: "common_strptime_format",
    field: "commonDateFormats",
    format: commonDateFormats,
    isRequired: true,
    meaning: "Formats of dates in all journals, tried in this order after those of the journal.",
    example: "%Y-%m-%d|%d.%m.%Y|%B %d, %Y|%Y",
  },
  {
    key: "current_year_if_undated",
    field: "currentYearIfUndated",
    format: boolean,
    meaning:
      "Gives the record of an article without any date the year of the harvest. Otherwise it has none.",
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
    meaning: "The longest delay that a robots.txt may ask for. At least the default delay.",
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
    meaning: "The time limit of a request to the translation server of `npx ingather harvest` and `preview`.",
    example: "60",
  },
  {
    key: "skip_online_first_articles_unconditionally",
    field: "skipOnlineFirst",
    format: boolean,
    isRequired: true,
    meaning: "Drops articles without volume and issue even when they have a DOI.",
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

/** Before the first section's header. */
export const globalKeys: SectionKeys = [
  fieldKeys(settings, beforeHostDelays),
  hostDelayKeys,
  fieldKeys(settings, afterHostDelays),
  filterKeys,
];

import type { Configuration } from "../configuration.ts";
import { type NewFilters, subfieldMark } from "../filters.ts";
import type { Group } from "../group.ts";
import type { Settings } from "../settings.ts";
import type { ExpectedLanguages, Source } from "../source.ts";
import { filterPrefix } from "./import-filters.ts";
import { parseIni } from "./ini.ts";
import { hostDelayPrefixes } from "./ini-keys.ts";

/** Keys and values of a section; what is undefined is left out. */
type Entries = [key: string, value: string | number | boolean | undefined][];

/**
 * Writes a configuration as a `zotero_harvester.conf` that imports to the same. What the format has no place for is
 * lost, and told by `beyond-export.ts`: what operators have set, which an import leaves as it is, and the lists of names,
 * keywords and licences, which are files of their own. Two filters of one kind with the same target would be a duplicate key.
 */
export function exportIni(configuration: Configuration): string {
  const { settings, groups, sources } = configuration;
  return [
    section(undefined, globalEntries(settings, groups)),
    ...groups.map((group) => section(group.groupId, groupEntries(group))),
    ...settings.subgroups.map((one) =>
      section(one.subgroupId, [["author_swb_lookup_url", one.authorLookupUrl]]),
    ),
    ...sources.map((source) => section(source.title, sourceEntries(source))),
  ].join("\n");
}

/**
 * The part of a configuration that the format has room for: its groups look names up, its journals stand in Zeder, belong
 * to such a group and have titles that can be headers, each its own. `leftOut` names the rest, with the reason.
 */
export function selectExportable({ settings, groups, sources }: Configuration): Configuration & {
  leftOut: string[];
} {
  const exportableGroups = groups.filter(({ authorLookupUrl }) => authorLookupUrl !== undefined);
  const groupIds = new Set(exportableGroups.map(({ groupId }) => groupId));
  const headers = new Set([...groupIds, ...settings.subgroups.map(({ subgroupId }) => subgroupId)]);
  const problems = new Map(
    sources.map((one) => [one, problemOf(one, groupIds) ?? headerProblem(one.title, headers)]),
  );
  return {
    settings,
    groups: exportableGroups,
    sources: sources.filter((one) => problems.get(one) === undefined),
    leftOut: [
      ...groups
        .filter((one) => !exportableGroups.includes(one))
        .map(({ groupId }) => `group ${groupId} has no URL to look names up`),
      ...sources
        .filter((one) => problems.get(one) !== undefined)
        .map((one) => `source ${one.sourceId} ${problems.get(one)}`),
    ],
  };
}

function problemOf({ zederId, groupId }: Source, groupIds: ReadonlySet<string>): string | undefined {
  if (zederId === undefined) return "has no Zeder id";
  return groupIds.has(groupId) ? undefined : `is of the group ${groupId}, which is left out`;
}

/** @param headers those that stand in the file before; a title that can follow them is added */
function headerProblem(title: string, headers: Set<string>): string | undefined {
  if (headers.has(title)) return `has a title that another section has, too: ${JSON.stringify(title)}`;
  const [, read] = parseIni(header(title)).sections;
  if (read?.name !== title) return `has a title that cannot be a section's header: ${JSON.stringify(title)}`;
  headers.add(title);
  return undefined;
}

function globalEntries(settings: Settings, groups: Group[]): Entries {
  const delays = Object.entries(settings.hostDelays).flatMap(
    ([host, delay]): Entries => [
      [hostDelayPrefixes.defaultMs + host, delay.defaultMs],
      [hostDelayPrefixes.maxMs + host, delay.maxMs],
    ],
  );
  return [
    ["enhancement_maps_directory", settings.enhancementMapsDirectory ?? "."],
    ["groups", groups.map(({ groupId }) => groupId).join(",")],
    ["subgroups", settings.subgroups.map(({ subgroupId }) => subgroupId).join(",") || undefined],
    ["common_strptime_format", settings.commonDateFormats.join("|")],
    ["default_download_delay_time", settings.defaultDelayMs],
    ["max_download_delay_time", settings.maxDelayMs],
    ...delays,
    ["timeout_crawl_operation", settings.crawlTimeoutSeconds],
    ["timeout_download_request", settings.requestTimeoutSeconds],
    ["skip_online_first_articles_unconditionally", settings.skipOnlineFirst],
    ["zotero_review_regex", settings.reviewRegex],
    ["zotero_notes_regex", settings.notesRegex],
    ...filterEntries(settings.filters),
  ];
}

function groupEntries(group: Group): Entries {
  return [
    ["user_agent", group.userAgent],
    ["isil", group.isil],
    ["output_folder", group.outputFolder],
    ["author_swb_lookup_url", group.authorLookupUrl],
    ["author_lobid_lookup_query_params", group.authorLobidLookupParams],
    ...filterEntries({ addFields: group.addFields }),
  ];
}

function sourceEntries(source: Source): Entries {
  return [
    ["zeder_id", source.zederId],
    ["zeder_modified_time", source.zederModifiedTime],
    ["zeder_newly_synced_entry", source.newlySynced || undefined],
    ["zotero_group", source.groupId],
    ["zotero_subgroup", source.subgroupId],
    ["zotero_type", source.type],
    ["zotero_url", source.url],
    ["zotero_delivery_mode", source.deliveryMode],
    ["online_issn", source.online?.issn],
    ["online_ppn", source.online?.ppn],
    ["print_issn", source.print?.issn],
    ["print_ppn", source.print?.ppn],
    ["zotero_strptime_format", dateFormats(source)],
    ["zotero_update_window", source.updateWindowDays || undefined],
    ["zotero_review_regex", source.reviewRegex],
    ["zotero_notes_regex", source.notesRegex],
    ["zotero_expected_languages", source.expectedLanguages && expectedLanguages(source.expectedLanguages)],
    ["ssgn", source.ssgn],
    ["license", source.license],
    ["tiefp", source.tiefp === "-" ? undefined : source.tiefp],
    ["selective_evaluation", source.selectiveEvaluation || undefined],
    ["additional_selectors", source.additionalSelectors.join(",") || undefined],
    ["zotero_max_crawl_depth", source.crawl.maxDepth || undefined],
    ["zotero_extraction_regex", source.crawl.extractionRegex],
    ["zotero_crawl_url_regex", source.crawl.urlRegex],
    ["emailcrawl_subject_regex", source.email.subjectRegex],
    ["pages_not_online_first", source.pagesNotOnlineFirst || undefined],
    ["paged_rss", source.pagedRss && true],
    ["paged_rss_size", source.pagedRss?.size],
    ["paged_rss_range", source.pagedRss?.pages?.join(",")],
    ["paged_rss_delay_time", source.pagedRss && source.pagedRss.delayMs / 1000],
    ...filterEntries(source.filters),
  ];
}

function dateFormats({ dateFormats: { locales, formats } }: Source): string | undefined {
  const posix = locales.map((locale) => `${locale.replace("-", "_")}.UTF-8`).join("|");
  return (posix && `(${posix})`) + formats.join("|") || undefined;
}

function expectedLanguages({ mode, detectFrom, codes }: ExpectedLanguages): string {
  const modifier = { compare: "", detect: "?", force: "!", translator: "=" }[mode];
  return `${modifier}${detectFrom === "title" ? "" : `${detectFrom}:`}${codes.join(",")}`;
}

/** Custom fields are told apart by a number after the tag, which has no meaning. */
function filterEntries(filters: NewFilters): Entries {
  const target = ({ tag, code = "" }: { tag: string; code?: string | undefined }) => tag + code;
  return [
    ...(filters.suppressJson ?? []).map((one) => entry("suppressJson", one.field, one.pattern)),
    ...(filters.overrideJson ?? []).map((one) => entry("overrideJson", one.field, one.replacement)),
    ...(filters.excludeJson ?? []).map((one) => entry("excludeJson", one.field, one.pattern)),
    ...(filters.addFields ?? []).map((field, index) =>
      entry("addFields", `${field.slice(0, 3)}_${index + 1}`, field),
    ),
    ...(filters.removeFields ?? []).map((one) => entry("removeFields", target(one), one.pattern)),
    ...(filters.removeSubfields ?? []).map((one) => entry("removeSubfields", target(one), one.pattern)),
    ...(filters.excludeMarc ?? []).map((one) => entry("excludeMarc", target(one), one.pattern)),
    ...(filters.rewriteFields ?? []).map((one) =>
      entry("rewriteFields", target(one), `${one.pattern} ||| ${one.replacement}`),
    ),
    ...(["addFieldsIf", "rewriteFieldsIf"] as const).flatMap((kind) =>
      (filters[kind] ?? []).map((one) =>
        entry(kind, target(one), `${target(one.test)}:${one.pattern} ||| ${one.replacement}`),
      ),
    ),
  ];
}

function entry(kind: keyof NewFilters, target: string, value: string): Entries[number] {
  return [filterPrefix(kind) + target, value];
}

function section(name: string | undefined, entries: Entries): string {
  const lines = entries
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} = ${quoteValue(String(value))}\n`);
  return (name === undefined ? "" : header(name)) + lines.join("");
}

/** A `#` has a backslash before it, but for what a reader takes to be a value in quotes. */
function header(name: string): string {
  const [, before = "", value = ""] = /^([^=]*=\s*)(".*)$/s.exec(name) ?? [undefined, name];
  const outside = (text: string) => text.replaceAll("#", "\\#");
  const quoted = /^"(?:\\.|[^"\\])*"?/s.exec(value)?.[0] ?? "";
  return `[${outside(before)}${quoted}${outside(value.slice(quoted.length))}]\n`;
}

/** In quotes where the value would be read as something else. */
function quoteValue(value: string): string {
  if (value && !/^["\s]|["\s\\]$|#|\n/.test(value) && !value.includes(subfieldMark)) return value;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped.replaceAll(subfieldMark, "\\037")}"`;
}

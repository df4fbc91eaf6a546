import type { NewGroup, Subgroup } from "../group.ts";
import { readLicenceMap } from "../licence.ts";
import type { NewSettings } from "../settings.ts";
import { type EnhancementFiles, enhancementFileNames } from "./enhancement-files.ts";
import { groupFilters, readFilters } from "./import-filters.ts";
import { hostDelayPrefixes } from "./ini-keys.ts";
import { type SectionReader, withoutUndefined } from "./section-reader.ts";

export function readGlobals(reader: SectionReader, files: EnhancementFiles): NewSettings {
  const dateFormats = reader.requiredText("common_strptime_format");
  if (dateFormats.startsWith("("))
    reader.refuse("common_strptime_format", "Cannot specify locale in global strptime_format");
  reader.requiredText("groups");
  return withoutUndefined({
    enhancementMapsDirectory: reader.requiredText("enhancement_maps_directory"),
    commonDateFormats: dateFormats.split("|").filter(Boolean),
    skipOnlineFirst: reader.requiredBoolean("skip_online_first_articles_unconditionally"),
    crawlTimeoutSeconds: reader.requiredCount("timeout_crawl_operation"),
    requestTimeoutSeconds: reader.requiredCount("timeout_download_request"),
    defaultDelayMs: reader.count("default_download_delay_time"),
    maxDelayMs: reader.count("max_download_delay_time"),
    hostDelays: readHostDelays(reader),
    reviewRegex: reader.text("zotero_review_regex"),
    notesRegex: reader.text("zotero_notes_regex"),
    filters: readFilters(reader),
    nameBlacklist: linesOf(files.nameBlacklist),
    genreKeywords: linesOf(files.genreKeywords),
    licences: readLicences(reader, files.licences),
  });
}

export function readGroup(reader: SectionReader): NewGroup {
  return withoutUndefined({
    groupId: reader.name,
    isil: reader.requiredText("isil"),
    userAgent: reader.requiredText("user_agent"),
    outputFolder: reader.requiredText("output_folder"),
    authorLookupUrl: reader.requiredText("author_swb_lookup_url"),
    authorLobidLookupParams: reader.text("author_lobid_lookup_query_params"),
    addFields: readFilters(reader, groupFilters).addFields,
    ...knownGroupMarks.get(reader.name),
  });
}

export function readSubgroup(reader: SectionReader): Subgroup {
  return {
    subgroupId: reader.name,
    ...withoutUndefined({ authorLookupUrl: reader.text("author_swb_lookup_url") }),
  };
}

/** What the original knows of its groups by their names. */
export const knownGroupMarks: ReadonlyMap<string, Partial<NewGroup>> = new Map([
  ["IxTheo", { zederInstance: "ixtheo", subjectMark: "mteo", localMark: "ixzs", linkedAuthorMark: "ixzom" }],
  ["KrimDok", { zederInstance: "krimdok", subjectMark: "mkri", linkedAuthorMark: "krzom" }],
]);

function readHostDelays(reader: SectionReader): NonNullable<NewSettings["hostDelays"]> {
  const delays = new Map<string, NonNullable<NewSettings["hostDelays"]>[string]>();
  for (const key of reader.entries.keys())
    for (const [field, prefix] of Object.entries(hostDelayPrefixes)) {
      const host = key.slice(prefix.length);
      if (key.startsWith(prefix)) delays.set(host, { ...delays.get(host), [field]: reader.count(key) });
    }
  return Object.fromEntries(delays);
}

function readLicences(reader: SectionReader, text = ""): NonNullable<NewSettings["licences"]> {
  const map = readLicenceMap(text);
  if (map.type === "read") return map.licences;
  reader.refuse("enhancement_maps_directory", `${enhancementFileNames.licences}: ${map.problem}`);
  return {};
}

function linesOf(text = ""): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"));
}

import { formatValue } from "../../core/errors.ts";
import { isKnownLocale } from "../date-format.ts";
import { marcLanguage } from "../language-codes.ts";
import {
  deliveryModes,
  detectableFields,
  type ExpectedLanguages,
  type NewSource,
  sourceTypes,
} from "../source.ts";
import { readFilters } from "./import-filters.ts";
import { type SectionReader, withoutUndefined } from "./section-reader.ts";

/** The source of a journal's section. Its id is made of the group's and of Zeder's. */
export function readJournal(
  reader: SectionReader,
  known: { groupIds: ReadonlySet<string>; subgroupIds: ReadonlySet<string> },
): NewSource {
  const groupId = reader.requiredText("zotero_group");
  if (groupId && !known.groupIds.has(groupId))
    reader.refuse("zotero_group", `Unknown group name "${groupId}"`);
  const subgroupId = reader.text("zotero_subgroup");
  if (subgroupId !== undefined && !known.subgroupIds.has(subgroupId))
    reader.refuse("zotero_subgroup", `Unknown subgroup name "${subgroupId}"`);
  const zederId = reader.requiredText("zeder_id");
  reader.count("zeder_id");
  reader.requiredText("zotero_type");
  const online = readEdition(reader, "online");
  const print = readEdition(reader, "print");
  return withoutUndefined({
    sourceId: `${groupId.toLowerCase()}-${zederId}`,
    title: reader.name,
    type: reader.oneOf("zotero_type", sourceTypes) ?? "DIRECT",
    url: reader.requiredText("zotero_url"),
    groupId,
    subgroupId,
    deliveryMode: reader.oneOf("zotero_delivery_mode", deliveryModes),
    updateWindowDays: reader.count("zotero_update_window"),
    zederId,
    zederModifiedTime: reader.text("zeder_modified_time"),
    newlySynced: reader.boolean("zeder_newly_synced_entry"),
    online,
    print,
    dateFormats: readDateFormats(reader),
    expectedLanguages: readExpectedLanguages(reader),
    reviewRegex: reader.text("zotero_review_regex"),
    notesRegex: reader.text("zotero_notes_regex"),
    ssgn: reader.text("ssgn"),
    license: reader.text("license"),
    tiefp: reader.text("tiefp"),
    selectiveEvaluation: reader.boolean("selective_evaluation"),
    additionalSelectors: reader.list("additional_selectors"),
    pagesNotOnlineFirst: reader.boolean("pages_not_online_first"),
    crawl: withoutUndefined({
      maxDepth: reader.count("zotero_max_crawl_depth"),
      extractionRegex: reader.text("zotero_extraction_regex"),
      urlRegex: reader.text("zotero_crawl_url_regex"),
    }),
    email: withoutUndefined({ subjectRegex: reader.text("emailcrawl_subject_regex") }),
    pagedRss: readPagedRss(reader),
    filters: readFilters(reader),
  });
}

function readEdition(
  reader: SectionReader,
  medium: "online" | "print",
): { issn?: string; ppn?: string } | undefined {
  const edition = withoutUndefined({
    issn: reader.text(`${medium}_issn`),
    ppn: reader.text(`${medium}_ppn`),
  });
  return Object.keys(edition).length > 0 ? edition : undefined;
}

/** Names of months in English, which are always read. */
const englishLocales: readonly string[] = ["C", "POSIX"];

/**
 * `(de_DE.UTF-8|en_US)%d. %B %Y|%Y`: locales, as BCP 47 tags, and formats. One that is not known is left out, so that the
 * others and the formats count.
 */
function readDateFormats(reader: SectionReader): { locales: string[]; formats: string[] } | undefined {
  const key = "zotero_strptime_format";
  const text = reader.text(key) ?? "";
  if (!text) return undefined;
  const [, locales = "", formats = ""] = /^(?:\(([^)]*)\))?(.*)$/s.exec(text) ?? [];
  const named = parts(locales).map((locale) => locale.replace(/[.@].*$/, "").replace("_", "-"));
  const tags = named.filter((tag) => !englishLocales.includes(tag));
  for (const tag of tags.filter((tag) => !isKnownLocale(tag))) {
    reader.warn(key, `the locale ${formatValue(tag)} is not known, and left out`);
  }
  return { locales: tags.filter(isKnownLocale), formats: parts(formats) };
}

function parts(text: string): string[] {
  return text
    .split("|")
    .map((part) => part.trim())
    .filter(Boolean);
}

const modes: Record<string, ExpectedLanguages["mode"]> = { "!": "force", "?": "detect", "=": "translator" };

/** `[!?=][title|abstract|title+abstract:]code,code`; the older `force_language_detection` means the same as `?`. */
function readExpectedLanguages(reader: SectionReader): NewSource["expectedLanguages"] {
  const text = reader.text("zotero_expected_languages");
  const isDetectionForced = reader.boolean("force_language_detection") ?? false;
  if (!text) return undefined;
  const [, modifier = "", writtenField = "title", list = ""] =
    /^([!?=]?)(?:([^:]*):)?(.*)$/s.exec(text) ?? [];
  const detectFrom = detectableFields.find((field) => field === writtenField);
  const codes = list.split(",").filter(Boolean);
  if (!detectFrom || codes.length === 0 || codes.some((code) => marcLanguage(code) === undefined)) {
    reader.refuse("zotero_expected_languages", `invalid setting for expected languages: "${text}"`);
    return undefined;
  }
  const mode = modes[modifier] ?? (isDetectionForced ? "detect" : "compare");
  return { mode, detectFrom, codes: withMarcCodes(codes) };
}

/** Codes as they are written stay beside the MARC codes that they mean: records were always delivered so. */
function withMarcCodes(codes: string[]): string[] {
  return [...new Set(codes.flatMap((code) => [code, marcLanguage(code) ?? code]))];
}

function readPagedRss(reader: SectionReader): NewSource["pagedRss"] {
  const size = reader.count("paged_rss_size");
  const delaySeconds = reader.count("paged_rss_delay_time");
  if (!reader.boolean("paged_rss")) return undefined;
  const range = reader.text("paged_rss_range");
  const pages = range?.split(",").flatMap(pagesOf);
  if (pages?.includes(undefined)) reader.refuse("paged_rss_range", `invalid range of pages "${range}"`);
  return {
    ...(pages && { pages: pages.filter((page) => page !== undefined) }),
    ...(size !== undefined && { size }),
    delayMs: (delaySeconds ?? 0) * 1000,
  };
}

/** `7` or `1-3`, at most 1000 pages; undefined stands for what is neither. */
function pagesOf(part: string): (number | undefined)[] {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
  const length = Number(to) - Number(from) + 1;
  if (!(length >= 1 && length <= 1000)) return [undefined];
  return Array.from({ length }, (_, index) => Number(from) + index);
}

import { deliveryModes } from "../../delivery-mode.ts";
import { freeLicences } from "../../licence.ts";
import { type Source, source } from "../../source.ts";
import { journalTypes } from "../../source-type.ts";
import { subjectGroups } from "../../subject-groups.ts";
import { type FieldKeyOf, fieldKeys } from "./field-keys.ts";
import { filterKeys } from "./filter-keys.ts";
import { dateFormats, expectedLanguages, pagedFeed, pageNumbers, secondsAsMs } from "./journal-formats.ts";
import type { SectionKeys } from "./key-table.ts";
import {
  boolean,
  commaListOf,
  countOf,
  digits,
  issn,
  oneOf,
  pattern,
  suggested,
  text,
  textOf,
} from "./value-formats.ts";

const keys: FieldKeyOf<Source>[] = [
  {
    key: "zeder_id",
    field: "zederId",
    format: digits,
    isRequired: true,
    reports: ["sourceId"],
    meaning:
      "The journal's id in Zeder, unique in its group. Ingather names the source by both: `ixtheo-1167`.",
    example: "1167",
  },
  {
    key: "zeder_modified_time",
    field: "zederModifiedTime",
    format: text,
    meaning: "When Zeder last changed the journal. Kept for the format, not used.",
    example: '"2026-05-07 22:10:57"',
  },
  {
    key: "zeder_newly_synced_entry",
    field: "newlySynced",
    format: boolean,
    meaning: "New from Zeder and not reviewed yet: left out of daily runs.",
    example: "true",
  },
  {
    key: "zotero_group",
    field: "groupId",
    format: textOf("name of a group"),
    isRequired: true,
    meaning: "The group that the records are delivered to.",
    example: "IxTheo",
  },
  {
    key: "zotero_subgroup",
    field: "subgroupId",
    format: textOf("name of a subgroup"),
    meaning: "The subgroup whose lookup address is used.",
    example: "RelBib",
  },
  {
    key: "zotero_type",
    field: "type",
    format: oneOf(journalTypes),
    isRequired: true,
    meaning:
      "How articles are found: in a feed, by a crawl, at the URL itself, by a search for the online ISSN, or in mails. The [tutorial](tutorial.md#7-use-your-own-journal) has what each type needs.",
    example: "RSS",
  },
  {
    key: "zotero_url",
    field: "url",
    format: textOf("HTTP URL"),
    isRequired: true,
    meaning: "The feed, the first page of the crawl, the article or list of articles, or the journal's site.",
    example: "https://journal.example/feed",
  },
  {
    key: "zotero_delivery_mode",
    field: "deliveryMode",
    format: oneOf(deliveryModes),
    isAlwaysWritten: true,
    meaning: "`NONE`: not harvested. `TEST`: delivered to the test folder. `LIVE`: delivered.",
    example: "LIVE",
  },
  {
    key: "online_issn",
    field: "online.issn",
    format: issn,
    meaning:
      "The ISSN of the online edition. The online pair of ISSN and PPN comes before the print pair; without a complete pair every article is dropped.",
    example: "1467-9647",
  },
  {
    key: "online_ppn",
    field: "online.ppn",
    format: text,
    meaning: "The record number of the online edition in the union catalogue.",
    example: "320636356",
  },
  {
    key: "print_issn",
    field: "print.issn",
    format: issn,
    meaning: "The ISSN of the print edition.",
    example: "1368-4868",
  },
  {
    key: "print_ppn",
    field: "print.ppn",
    format: text,
    meaning: "The record number of the print edition in the union catalogue.",
    example: "320437248",
  },
  {
    key: "zotero_strptime_format",
    field: "dateFormats",
    format: dateFormats,
    meaning: "Formats of dates, tried before the common ones.",
    example: "(de_DE.UTF-8)%d. %B %Y|%Y",
  },
  {
    key: "zotero_update_window",
    field: "updateWindowDays",
    format: countOf("days"),
    meaning: "The journal is overdue if nothing was delivered for this long. 0 means 60 days.",
    example: "137",
  },
  {
    key: "zotero_review_regex",
    field: "reviewRegex",
    format: pattern,
    meaning: "In addition to that of the global section.",
    example: "\\bISBN\\b",
  },
  {
    key: "zotero_notes_regex",
    field: "notesRegex",
    format: pattern,
    meaning: "In addition to that of the global section.",
    example: "(?i)^errat(um|a)",
  },
  {
    key: "zotero_expected_languages",
    field: "expectedLanguages",
    format: expectedLanguages,
    meaning: "The languages of the articles, and how the language of a record is decided.",
    example: "?title+abstract:eng,ger",
  },
  {
    key: "force_language_detection",
    format: boolean,
    meaning: "Means the same as `?` before the expected languages, which an export writes instead.",
    example: "true",
  },
  {
    key: "ssgn",
    field: "ssgn",
    format: suggested([...subjectGroups.keys()], "no 084 is written"),
    meaning: "The specialised information service that collects the journal (084).",
    example: "FG_1",
  },
  {
    key: "license",
    field: "license",
    format: suggested([...freeLicences, "ZZ", "KW"], "treated as ZZ"),
    meaning:
      "The licence (856 `$z`): free, free by cooperation, unknown, not given. Without this key the list of licences and the article's page decide.",
    example: "LF",
  },
  {
    key: "tiefp",
    field: "tiefp",
    format: suggested(["J", "N", "-"], "treated as -"),
    meaning: "`J` marks records whose authors are not all linked to the authority file (935 `tiep`).",
    example: "J",
  },
  {
    key: "selective_evaluation",
    field: "selectiveEvaluation",
    format: boolean,
    meaning: "Articles are selected one by one: 935 `NABZ` instead of the group's mark, and no 084.",
    example: "true",
  },
  {
    key: "additional_selectors",
    field: "additionalSelectors",
    format: commaListOf("codes"),
    meaning: "Further codes in 935 `$a`.",
    example: "BIIN,KALD",
  },
  {
    key: "zotero_max_crawl_depth",
    field: "crawl.maxDepth",
    format: countOf("links"),
    meaning:
      "How many links deep a crawl goes from the first page. For `EMAIL`, 0: lists of articles are not followed.",
    example: "2",
  },
  {
    key: "zotero_extraction_regex",
    field: "crawl.extractionRegex",
    format: pattern,
    meaning: "URLs that match are articles. Without it, every page of the site is an article.",
    example: "/article/view/\\d+$",
  },
  {
    key: "zotero_crawl_url_regex",
    field: "crawl.urlRegex",
    format: pattern,
    meaning: "URLs that match are followed. Without it, all pages are followed that are not articles.",
    example: "/issue/view/",
  },
  {
    key: "emailcrawl_subject_regex",
    field: "email.subjectRegex",
    format: pattern,
    meaning: "For a journal of the type `EMAIL`: mails belong to it if their subject matches.",
    example: "(?i)new issue of the journal",
  },
  {
    key: "pages_not_online_first",
    field: "pagesNotOnlineFirst",
    format: boolean,
    meaning: "A record without volume and issue but with pages is not online-first (PNO `$a` 1).",
    example: "true",
  },
  {
    key: "paged_rss",
    field: "pagedRss",
    format: pagedFeed,
    meaning: "The feed has pages: `page_num`, `page_size` and the journal's title are added to its URL.",
    example: "true",
  },
  {
    key: "paged_rss_size",
    field: "pagedRss.size",
    format: countOf("entries"),
    onlyWith: "paged_rss",
    meaning: "Entries per page.",
    example: "20",
  },
  {
    key: "paged_rss_range",
    field: "pagedRss.pages",
    format: pageNumbers,
    onlyWith: "paged_rss",
    meaning: "The pages that are requested. Without it, all that the feed announces.",
    example: "1-3,7",
  },
  {
    key: "paged_rss_delay_time",
    field: "pagedRss.delayMs",
    format: secondsAsMs,
    onlyWith: "paged_rss",
    meaning: "The delay between two pages.",
    example: "2",
  },
];

/** A journal's section. Its header is the title of the source. */
export const journalKeys: SectionKeys = [fieldKeys(source, keys), filterKeys];

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
      "The journal's id in Zeder, unique in its group. The id of the source consists of the group and this number: `ixtheo-1167`.",
    example: "1167",
  },
  {
    key: "zeder_modified_time",
    field: "zederModifiedTime",
    format: text,
    meaning: "When Zeder last changed the journal. Accepted for compatibility, not used.",
    example: '"2026-05-07 22:10:57"',
  },
  {
    key: "zeder_newly_synced_entry",
    field: "newlySynced",
    format: boolean,
    meaning: "Whether the journal is new from Zeder and not reviewed yet. Daily runs skip such journals.",
    example: "true",
  },
  {
    key: "zotero_group",
    field: "groupId",
    format: textOf("name of a group"),
    isRequired: true,
    meaning: "The group that gets the records.",
    example: "IxTheo",
  },
  {
    key: "zotero_subgroup",
    field: "subgroupId",
    format: textOf("name of a subgroup"),
    meaning: "The subgroup whose address is used for author lookups.",
    example: "RelBib",
  },
  {
    key: "zotero_type",
    field: "type",
    format: oneOf(journalTypes),
    isRequired: true,
    meaning:
      "How articles are found: in a feed (`RSS`), by a crawl (`CRAWL`), at the URL itself (`DIRECT`), by a search for the online ISSN (`APIQUERY`), or in mails (`EMAIL`). The [tutorial](tutorial.md#7-use-your-own-journal) describes each type.",
    example: "RSS",
  },
  {
    key: "zotero_url",
    field: "url",
    format: textOf("HTTP URL"),
    isRequired: true,
    meaning:
      "The URL of the feed, of the first page of the crawl, of the article or list of articles, or of the journal's site.",
    example: "https://journal.example/feed",
  },
  {
    key: "zotero_delivery_mode",
    field: "deliveryMode",
    format: oneOf(deliveryModes),
    isAlwaysWritten: true,
    meaning:
      "`NONE`: the journal is not harvested. `TEST`: records are delivered to the test folder. `LIVE`: records are delivered.",
    example: "LIVE",
  },
  {
    key: "online_issn",
    field: "online.issn",
    format: issn,
    meaning:
      "The ISSN of the online edition. Ingather uses the online pair of ISSN and PPN, or else the print pair. If neither pair is complete, all articles are dropped.",
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
    meaning: "Date formats, tried before the common formats.",
    example: "(de_DE.UTF-8)%d. %B %Y|%Y",
  },
  {
    key: "zotero_update_window",
    field: "updateWindowDays",
    format: countOf("days"),
    meaning: "The number of days without a delivery after which the journal is overdue. 0 means 60 days.",
    example: "137",
  },
  {
    key: "zotero_review_regex",
    field: "reviewRegex",
    format: pattern,
    meaning: "A further expression for reviews. The expression of the global section still applies.",
    example: "\\bISBN\\b",
  },
  {
    key: "zotero_notes_regex",
    field: "notesRegex",
    format: pattern,
    meaning: "A further expression for notes. The expression of the global section still applies.",
    example: "(?i)^errat(um|a)",
  },
  {
    key: "zotero_expected_languages",
    field: "expectedLanguages",
    format: expectedLanguages,
    meaning: "The languages of the articles, and how the language of a record is determined.",
    example: "?title+abstract:eng,ger",
  },
  {
    key: "force_language_detection",
    format: boolean,
    meaning: "The same as `?` before the expected languages. An export writes `?` instead of this key.",
    example: "true",
  },
  {
    key: "ssgn",
    field: "ssgn",
    format: suggested([...subjectGroups.keys()], "no 084 is written"),
    meaning: "The specialised information service that collects the journal, written to 084.",
    example: "FG_1",
  },
  {
    key: "license",
    field: "license",
    format: suggested([...freeLicences, "ZZ", "KW"], "treated as ZZ"),
    meaning:
      "The licence, written to 856 `$z`: free (`LF`), free by cooperation (`KF`), unknown (`ZZ`), not given (`KW`). Without this key, the licence comes from the list of licences or the article's page.",
    example: "LF",
  },
  {
    key: "tiefp",
    field: "tiefp",
    format: suggested(["J", "N", "-"], "treated as -"),
    meaning:
      "`J`: records whose authors are not all linked to the authority file are marked with 935 `tiep`.",
    example: "J",
  },
  {
    key: "selective_evaluation",
    field: "selectiveEvaluation",
    format: boolean,
    meaning:
      "Whether articles are selected one by one. Records then have 935 `NABZ` instead of the group's mark, and no 084.",
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
      "The maximum number of links between the first page of a crawl and a page that it reads. For `EMAIL`, 0 means that lists of articles are not followed.",
    example: "2",
  },
  {
    key: "zotero_extraction_regex",
    field: "crawl.extractionRegex",
    format: pattern,
    meaning: "URLs that match are articles. Without this key, every page of the site is an article.",
    example: "/article/view/\\d+$",
  },
  {
    key: "zotero_crawl_url_regex",
    field: "crawl.urlRegex",
    format: pattern,
    meaning: "URLs that match are followed. Without this key, all pages that are not articles are followed.",
    example: "/issue/view/",
  },
  {
    key: "emailcrawl_subject_regex",
    field: "email.subjectRegex",
    format: pattern,
    meaning: "For `EMAIL`: a mail belongs to the journal if its subject matches.",
    example: "(?i)new issue of the journal",
  },
  {
    key: "pages_not_online_first",
    field: "pagesNotOnlineFirst",
    format: boolean,
    meaning:
      "Whether a record with pages, but without volume and issue, does not count as online-first (PNO `$a` 1).",
    example: "true",
  },
  {
    key: "paged_rss",
    field: "pagedRss",
    format: pagedFeed,
    meaning:
      "Whether the feed has several pages. `page_num`, `page_size` and the journal's title are then added to the feed's URL.",
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
    meaning:
      "The pages that are requested. Without this key, all pages that the feed announces are requested.",
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

/** The keys of a journal's section. The header of the section is the title of the source. */
export const journalKeys: SectionKeys = [fieldKeys(source, keys), filterKeys];

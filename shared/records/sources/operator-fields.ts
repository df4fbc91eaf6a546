import type { ConfigurationKind } from "./configuration.ts";

/** A field that no `zotero_harvester.conf` can set: operators set it, imports keep it. */
interface OperatorField {
  /** `throttleMs` or `crawl.maxPages`. */
  path: string;
  /** Markdown. */
  meaning: string;
}

const groupFields: readonly OperatorField[] = [
  { path: "recipients", meaning: "The recipients of mails about refused records and overdue journals." },
  { path: "destination", meaning: "Where files are uploaded: by SFTP, or nowhere besides the bucket." },
  { path: "recordsPerFile", meaning: "The most records of one file." },
  {
    path: "zederInstance",
    meaning: "The Zeder instance (ZID `$b`); by default the group's name in lower case.",
  },
  {
    path: "subjectMark",
    meaning: "The group's mark (935 `$a`) of records that are not selected one by one.",
  },
  { path: "localMark", meaning: "The group's local mark (935 `$a` with `$2` LOK)." },
  { path: "linkedAuthorMark", meaning: "The mark of authors that were linked automatically (887 `$2`)." },
];

const sourceFields: readonly OperatorField[] = [
  { path: "addedAt", meaning: "The day from which a journal that never delivered becomes overdue." },
  {
    path: "paused",
    meaning: "Whether daily runs and polls leave the journal out. It is not overdue meanwhile.",
  },
  { path: "throttleMs", meaning: "The delay between two requests, instead of the host's." },
  {
    path: "obeyRobots",
    meaning: "Whether robots.txt holds for feeds and single articles. Crawled pages always obey it.",
  },
  { path: "collectionId", meaning: "The collection whose link rule and status the records share." },
  {
    path: "audiences",
    meaning: "The audiences that the records of an OAI-PMH set are published for: `primo`, `dpla`.",
  },
  { path: "crawl.maxPages", meaning: "The most pages that one crawl requests." },
  { path: "crawl.sitemaps", meaning: "Whether a crawl reads the site's sitemaps, too." },
];

export const operatorFields: Readonly<Record<ConfigurationKind, readonly OperatorField[]>> = {
  settings: [],
  group: groupFields,
  source: sourceFields,
};

/** The types of sources that a `zotero_harvester.conf` may contain. */
export const journalTypes = ["RSS", "CRAWL", "DIRECT", "APIQUERY", "EMAIL"] as const;

export const sourceTypes = [...journalTypes, "OAI-PMH", "UPLOAD", "FILE", "FOLDER"] as const;

export type SourceType = (typeof sourceTypes)[number];

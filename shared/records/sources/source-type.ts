/** The types that a `zotero_harvester.conf` knows. */
export const journalTypes = ["RSS", "CRAWL", "DIRECT", "APIQUERY", "EMAIL"] as const;

export const sourceTypes = [...journalTypes, "OAI-PMH", "UPLOAD", "FILE", "FOLDER"] as const;

export type SourceType = (typeof sourceTypes)[number];

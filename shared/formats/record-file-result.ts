import type { ArticleMetadata } from "./article-metadata.ts";

/** The records of a file to which a page links, in the order of the file. */
export type RecordFileResult =
  | { type: "records"; records: ArticleMetadata[] }
  /** `detail` completes a sentence about the file, e.g. "it has no mods element". */
  | { type: "unreadable"; detail: string };

/** The number of records per file. A file describes one article. */
export const maxRecords = 50;

/** Ten times the size of a record with 1,000 names and a long abstract. */
export const maxFileBytes = 1024 * 1024;

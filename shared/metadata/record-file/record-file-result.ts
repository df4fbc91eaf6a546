import type { ArticleMetadata } from "../article-metadata.ts";

/** What a file that a page links to holds: what each of its records says, in the order of the file. */
export type RecordFileResult =
  | { type: "records"; records: ArticleMetadata[] }
  /** In words that follow on the file's name. */
  | { type: "unreadable"; detail: string };

/** Of one file, which is about one article. */
export const maxRecords = 50;

/** Of a file; a record with 1 000 names and a long abstract has a tenth of it. */
export const maxFileBytes = 1024 * 1024;

import type { ArticleMetadata, MetadataCreator } from "../../../../shared/formats/article-metadata.ts";
import type { RecordFileResult } from "../../../../shared/formats/record-file-result.ts";

/** What each record states and is not empty; or why the file could not be read. */
export function statementsOf(reading: RecordFileResult): Partial<ArticleMetadata>[] | string {
  if (reading.type === "unreadable") return reading.detail;
  return reading.records.map((record) =>
    Object.fromEntries(
      Object.entries(record).filter(([, value]) => value !== undefined && value.length !== 0),
    ),
  );
}

export function person(firstName: string, lastName: string, creatorType = "author"): MetadataCreator {
  return { creatorType, firstName, lastName };
}

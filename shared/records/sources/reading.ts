import type { Source, StoredSource } from "./source.ts";
import type { SourceType } from "./source-type.ts";

/**
 * Whether a source of each type lists documents, which are stored. A source of any other type lists articles, whose
 * pages are read.
 */
export const readsDocuments: Readonly<Record<SourceType, boolean>> = {
  RSS: false,
  CRAWL: false,
  DIRECT: false,
  APIQUERY: false,
  EMAIL: false,
  "OAI-PMH": true,
  UPLOAD: true,
  FILE: true,
  FOLDER: true,
};

/** The reading of a source that no delivery reads: once a day. */
const daily = { mode: "asynchronous", everyMinutes: 1_440 } as const;

/**
 * Returns whether a source is not read at all. This is the case for a source of articles with the mode `NONE` that was
 * imported, because `NONE` means off for imported sources.
 */
export function isOff({
  type,
  deliveryMode,
  isAdded,
}: Partial<Pick<StoredSource, "deliveryMode" | "isAdded">> & { type?: SourceType | undefined }): boolean {
  return deliveryMode === "NONE" && (type === undefined || !(readsDocuments[type] || isAdded));
}

/**
 * Returns when polls read a source. A source of the mode `NONE` is read for its documents, and nothing of it is
 * delivered. Because daily runs do not read such a source, it is read once a day if it has no `reading`.
 * @returns undefined when polls do not read the source
 */
export function readingOf(
  source: Pick<StoredSource, "type" | "deliveryMode" | "reading" | "isAdded">,
): Source["reading"] {
  const { type, deliveryMode, reading } = source;
  if (isOff(source)) return undefined;
  return reading ?? (deliveryMode === "NONE" && type !== "UPLOAD" ? daily : undefined);
}

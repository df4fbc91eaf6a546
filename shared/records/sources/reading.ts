import type { Source, StoredSource } from "./source.ts";
import type { SourceType } from "./source-type.ts";

/** Whether a source of the type lists documents, which are stored; else it lists articles, whose pages are read. */
const readsDocuments: Readonly<Record<SourceType, boolean>> = {
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

/** A source that no delivery reads. */
const daily = { mode: "asynchronous", everyMinutes: 1_440 } as const;

/**
 * Whether nothing is read of a source: it lists articles, delivers nothing, and was imported, where `NONE` means off.
 */
export function isOff({
  type,
  deliveryMode,
  isAdded,
}: Partial<Pick<StoredSource, "deliveryMode" | "isAdded">> & { type?: SourceType | undefined }): boolean {
  return deliveryMode === "NONE" && (type === undefined || !(readsDocuments[type] || isAdded));
}

/**
 * When polls read a source. One of the mode `NONE` is read for its documents, and nothing of it is delivered: as no daily run
 * reads it, a source without `reading` is read once a day.
 * @returns undefined when polls do not read it
 */
export function readingOf(
  source: Pick<StoredSource, "type" | "deliveryMode" | "reading" | "isAdded">,
): Source["reading"] {
  const { type, deliveryMode, reading } = source;
  if (isOff(source)) return undefined;
  return reading ?? (deliveryMode === "NONE" && type !== "UPLOAD" ? daily : undefined);
}

import type { Source, SourceType } from "./source.ts";

/** The types whose documents are kept by themselves. Of the other types, only a delivery makes records. */
const keptTypes: ReadonlySet<SourceType> = new Set(["OAI-PMH", "UPLOAD", "FILE", "FOLDER"]);

/** A repository that no delivery reads. */
const daily = { mode: "asynchronous", everyMinutes: 1_440 } as const;

/** Whether nothing is read of a source: it delivers nothing, and its type keeps no documents. */
export function isOff({
  type,
  deliveryMode,
}: Partial<Pick<Source, "deliveryMode">> & { type?: SourceType | undefined }): boolean {
  return deliveryMode === "NONE" && (type === undefined || !keptTypes.has(type));
}

/**
 * When polls read a source. One of the mode `NONE` is read for its documents, and nothing of it is delivered: as no daily run
 * reads it, a repository without `reading` is read once a day.
 * @returns undefined when polls do not read it
 */
export function readingOf(source: Pick<Source, "type" | "deliveryMode" | "reading">): Source["reading"] {
  const { type, deliveryMode, reading } = source;
  if (isOff(source)) return undefined;
  return reading ?? (deliveryMode === "NONE" && type === "OAI-PMH" ? daily : undefined);
}

import { isoTimeOf } from "../warc/timestamp.ts";
import type { DuplicateLine } from "./capture-lists.ts";

/** A capture whose content is in another archive. */
export interface KeptElsewhere {
  url: string;
  /** The file that has the content; `offset` is the place in it. */
  file: string;
  offset: string;
  /** When the content was captured (ISO 8601); absent if it is unknown. */
  capturedAt?: string;
}

/** Describes an original that is not available. */
export function keptElsewhere({ url, origin }: Pick<DuplicateLine, "url" | "origin">): KeptElsewhere {
  const [file = "", offset = "", date = ""] = origin.split(",");
  const capturedAt = isoTimeOf(date.slice(0, 14));
  return { url, file, offset, ...(capturedAt !== undefined && { capturedAt }) };
}

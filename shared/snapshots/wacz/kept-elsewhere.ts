import { isoTimeOf } from "../warc/timestamp.ts";
import type { DuplicateLine } from "./capture-lists.ts";

/** A capture whose content another archive keeps. */
export interface KeptElsewhere {
  url: string;
  /** The file that has the content, and where in it. */
  file: string;
  offset: string;
  /** ISO 8601: when the content was captured; absent when nobody says. */
  capturedAt?: string;
}

/** An original that is not available. */
export function keptElsewhere({ url, origin }: Pick<DuplicateLine, "url" | "origin">): KeptElsewhere {
  const [file = "", offset = "", date = ""] = origin.split(",");
  const capturedAt = isoTimeOf(date.slice(0, 14));
  return { url, file, offset, ...(capturedAt !== undefined && { capturedAt }) };
}

import { mimeType } from "./mime-type.ts";
import { surt } from "./surt.ts";
import { timestamp14 } from "./timestamp.ts";
import type { RecordPlace } from "./warc-writer.ts";

/** A capture, as described by a line of a CDXJ. */
export interface IndexedCapture {
  url: string;
  date: Date;
  /** The status of the response. A revisit has its own status. */
  status: number;
  /** The content type that the host sent, with its parameters. */
  contentType: string | undefined;
  isRevisit: boolean;
  /** `sha1:` and base32. The digest of a revisit has the same spelling as that of its original. */
  digest: string | undefined;
  place: RecordPlace;
}

/**
 * Formats a line of a CDXJ, without its line end. All values are strings; length and offset are those of the
 * gzip member.
 * @see https://specs.webrecorder.net/cdxj/0.1.0/
 */
export function formatCdxjLine(capture: IndexedCapture): string {
  const { url, date, status, contentType, isRevisit, digest, place } = capture;
  const fields = {
    url,
    mime: isRevisit ? "warc/revisit" : mimeType(contentType),
    status: String(status),
    ...(digest !== undefined && { digest }),
    length: String(place.length),
    offset: String(place.offset),
    filename: place.filename,
  };
  return `${surt(url)} ${timestamp14(date)} ${JSON.stringify(fields)}`;
}

/** Sorts lines by their bytes, as `LC_ALL=C sort` does. */
export function sortCdxj(lines: readonly string[]): string[] {
  const bytes = lines.map((line) => Buffer.from(line, "utf8"));
  return bytes.sort(Buffer.compare).map((line) => line.toString("utf8"));
}

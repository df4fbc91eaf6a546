import { mimeType } from "./mime-type.ts";
import { surt } from "./surt.ts";
import { timestamp14 } from "./timestamp.ts";
import type { RecordPlace } from "./warc-writer.ts";

/** A capture as a line of a CDXJ describes it. */
export interface IndexedCapture {
  url: string;
  date: Date;
  /** The status of the response; of a revisit its own. */
  status: number;
  /** As the host named it, with its parameters. */
  contentType: string | undefined;
  isRevisit: boolean;
  /** `sha1:` and base 32; a revisit's is spelled as its original's. */
  digest: string | undefined;
  place: RecordPlace;
}

/**
 * A line of a CDXJ, without its end. All values are texts; length and offset are those of the gzip member.
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

/** Lines in the order of their bytes, as `LC_ALL=C sort` has it. */
export function sortCdxj(lines: readonly string[]): string[] {
  const bytes = lines.map((line) => Buffer.from(line, "utf8"));
  return bytes.sort(Buffer.compare).map((line) => line.toString("utf8"));
}

import { mimeType } from "./mime-type.ts";
import { timestamp14 } from "./timestamp.ts";

/** A URL that was fetched, or could not be fetched, as described by a line of a crawl log. */
export interface CrawlLogEntry {
  /** The status of the response, or a Heritrix code. */
  status: number;
  /** The size of the body, as received. */
  sizeBytes: number;
  url: string;
  hops: string;
  via?: string;
  contentType?: string;
  startedAt: Date;
  durationMs: number;
  /** `sha1:` and base32. */
  digest?: string;
  /** Annotations such as `duplicate:"…"` and `timeTrunc`. */
  annotations: readonly string[];
}

/**
 * Heritrix codes for outcomes other than HTTP responses.
 * @see https://heritrix.readthedocs.io/en/latest/glossary.html#status-codes
 */
export const heritrixStatus = {
  dns: -1,
  connect: -2,
  disconnect: -3,
  timeout: -4,
  illegalUrl: -7,
  retriesExhausted: -8,
  robotsUnreachable: -61,
  outOfScope: -5000,
  timeLimit: -5004,
  disallowedByRobots: -9998,
} as const;

/**
 * Formats a line of a Heritrix crawl log, without its line end.
 * @param at when the line is written
 * @see https://heritrix.readthedocs.io/en/latest/glossary.html#crawl-log
 */
export function formatCrawlLogLine(entry: CrawlLogEntry, at: Date): string {
  return datedLogLine(formatCrawlLogFields(entry), at);
}

/** Returns a line of a crawl log: the time and the given fields. */
export function datedLogLine(fields: string, at: Date): string {
  return `${at.toISOString()} ${fields}`;
}

/** Formats the fields of a line that follow the time. */
export function formatCrawlLogFields(entry: CrawlLogEntry): string {
  const { status, sizeBytes, url, hops, via, contentType, startedAt, durationMs, digest } = entry;
  const mime = mimeType(contentType);
  return [
    String(status).padStart(5),
    String(sizeBytes).padStart(10),
    withoutSpaces(url),
    hops === "" ? "-" : hops,
    via === undefined ? "-" : withoutSpaces(via),
    mime === "-" ? "no-type" : mime,
    "#001",
    `${timestamp17(startedAt)}+${durationMs}`,
    digest ?? "-",
    "-",
    entry.annotations.length === 0 ? "-" : entry.annotations.join(","),
  ].join(" ");
}

/** Returns the annotation of a capture that repeats another one. @param origin `file,offset[,date]` */
export function duplicateAnnotation(origin: string): string {
  return `duplicate:"${origin}"`;
}

/** Formats a time as `YYYYMMDDhhmmssSSS` in UTC. */
function timestamp17(date: Date): string {
  return `${timestamp14(date)}${String(date.getUTCMilliseconds()).padStart(3, "0")}`;
}

/** Escapes white space, because spaces separate the fields of a line. */
function withoutSpaces(url: string): string {
  return url.replaceAll(/\s/g, (space) => encodeURIComponent(space));
}

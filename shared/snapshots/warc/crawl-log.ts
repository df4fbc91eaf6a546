import { mimeType } from "./mime-type.ts";
import { timestamp14 } from "./timestamp.ts";

/** A fetched URL, or one that could not be fetched, as a line of a crawl log describes it. */
export interface CrawlLogEntry {
  /** The status of the response, or a code of Heritrix. */
  status: number;
  /** The size of the body as it came. */
  sizeBytes: number;
  url: string;
  hops: string;
  via?: string;
  contentType?: string;
  startedAt: Date;
  durationMs: number;
  /** `sha1:` and base 32. */
  digest?: string;
  /** `duplicate:"…"`, `timeTrunc`, … */
  annotations: readonly string[];
}

/**
 * Codes of Heritrix for what is not an answer of HTTP.
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
 * A line of a crawl log of Heritrix, without its end.
 * @param at when it is written
 * @see https://heritrix.readthedocs.io/en/latest/glossary.html#crawl-log
 */
export function formatCrawlLogLine(entry: CrawlLogEntry, at: Date): string {
  return datedLogLine(formatCrawlLogFields(entry), at);
}

/** A line of a crawl log whose fields after the time are known. */
export function datedLogLine(fields: string, at: Date): string {
  return `${at.toISOString()} ${fields}`;
}

/** The fields of a line after the time when it is written. */
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

/** The annotation of a capture that repeats another one. @param origin `file,offset[,date]` */
export function duplicateAnnotation(origin: string): string {
  return `duplicate:"${origin}"`;
}

/** `YYYYMMDDhhmmssSSS` in UTC. */
function timestamp17(date: Date): string {
  return `${timestamp14(date)}${String(date.getUTCMilliseconds()).padStart(3, "0")}`;
}

/** A line is divided at its spaces. */
function withoutSpaces(url: string): string {
  return url.replaceAll(/\s/g, (space) => encodeURIComponent(space));
}

import { ByteView } from "../index/lines/byte-view.ts";
import { CrawlLogLine } from "../index/lines/crawl-log-line.ts";
import { type CdxjLine, parseCdxjLine } from "./wacz-index.ts";
import type { HopsByUrl } from "./wacz-pages.ts";

/** A capture that refers to the content of an earlier one. */
export interface DuplicateLine {
  url: string;
  /** The time of the capture: `YYYYMMDDhhmmss`. */
  timestamp: string;
  /** The place of the earlier capture: `file,offset[,date]`. */
  origin: string;
}

/** The information in the crawl log of a capture. */
export interface LoggedCaptures {
  found: HopsByUrl;
  /** The lines that name an original. */
  duplicates: DuplicateLine[];
}

/** Reads a crawl log. @param lines of the crawl log */
export function readCrawlLog(lines: Iterable<string>): LoggedCaptures {
  const found = new Map<string, { hops: string; mime: string }>();
  const duplicates: DuplicateLine[] = [];
  const read = new CrawlLogLine();
  for (const line of lines) {
    if (line === "") continue;
    const [, , , url = "", hops = "", , mime = "", , started = ""] = line.split(/ +/);
    found.set(url, { hops: hops === "-" ? "" : hops, mime });
    const bytes = Buffer.from(line);
    const isRead = read.read(new ByteView(bytes), 0, bytes.length) === undefined;
    if (!isRead || read.originEnd <= 0) continue;
    const origin = bytes.toString("utf8", read.originStart, read.originEnd);
    duplicates.push({ url, timestamp: started.slice(0, 14), origin });
  }
  return { found, duplicates };
}

/** Reads a CDXJ. @param lines of the CDXJ */
export function readCdxj(lines: Iterable<string>): CdxjLine[] {
  const captures: CdxjLine[] = [];
  for (const line of lines) {
    const capture = parseCdxjLine(line);
    if (capture !== undefined) captures.push(capture);
  }
  return captures;
}

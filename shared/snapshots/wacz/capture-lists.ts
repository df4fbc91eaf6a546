import { ByteView } from "../index/lines/byte-view.ts";
import { CrawlLogLine } from "../index/lines/crawl-log-line.ts";
import { type CdxjLine, parseCdxjLine } from "./wacz-index.ts";
import type { HopsByUrl } from "./wacz-pages.ts";

/** A capture that refers to the content of an earlier one. */
export interface DuplicateLine {
  url: string;
  /** When it was captured: `YYYYMMDDhhmmss`. */
  timestamp: string;
  /** Where the earlier capture is: `file,offset[,date]`. */
  origin: string;
}

/** What the crawl log of a capture says. */
export interface LoggedCaptures {
  found: HopsByUrl;
  /** The lines that name an original. */
  duplicates: DuplicateLine[];
}

/** @param lines of the crawl log */
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

/** @param lines of the CDXJ */
export function readCdxj(lines: Iterable<string>): CdxjLine[] {
  const captures: CdxjLine[] = [];
  for (const line of lines) {
    const capture = parseCdxjLine(line);
    if (capture !== undefined) captures.push(capture);
  }
  return captures;
}

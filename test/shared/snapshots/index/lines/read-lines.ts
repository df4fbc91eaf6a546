import { ByteView } from "../../../../../shared/snapshots/index/lines/byte-view.ts";
import { CdxLine } from "../../../../../shared/snapshots/index/lines/cdx-line.ts";
import { CrawlLogLine } from "../../../../../shared/snapshots/index/lines/crawl-log-line.ts";

/** What is read of a line of a crawl log, as text; or why it is left out. */
export function readCrawlLogLine(text: string) {
  // Amid others, as in a file.
  const bytes = Buffer.from(`before\n${text}\nafter`);
  const line = new CrawlLogLine();
  const skip = line.read(new ByteView(bytes), 7, bytes.length - 6);
  if (skip !== undefined) return skip;
  const between = (start: number, end: number) => bytes.toString("utf8", start, end);
  const origin = between(line.originStart, line.originEnd);
  return {
    url: between(line.urlStart, line.urlEnd),
    digest: between(line.digestStart, line.digestEnd),
    isText: line.isText,
    date: Buffer.from(line.date).toString(),
    ...(origin !== "" && { origin }),
  };
}

/** The same of a line of a CDX, after its header. */
export function readCdxLine(text: string, header?: string) {
  const bytes = Buffer.from(`before\n${text}\nafter`);
  const line = new CdxLine();
  if (header !== undefined) line.readHeader(new ByteView(Buffer.from(header)), 0, header.length);
  const skip = line.read(new ByteView(bytes), 7, bytes.length - 6);
  if (skip !== undefined) return skip;
  const between = (start: number, end: number) => Buffer.from(line.view.bytes).toString("utf8", start, end);
  return {
    url: between(line.urlStart, line.urlEnd),
    date: between(line.dateStart, line.dateStart + 14),
    file: between(line.fileStart, line.fileEnd),
    offset: between(line.offsetStart, line.offsetEnd),
  };
}

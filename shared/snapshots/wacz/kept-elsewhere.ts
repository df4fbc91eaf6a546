import { ByteView } from "../index/byte-view.ts";
import { CrawlLogLine } from "../index/crawl-log-line.ts";

/** A capture that refers to the content of an earlier one. */
export interface DuplicateLine {
  url: string;
  /** When it was captured: `YYYYMMDDhhmmss`. */
  timestamp: string;
  /** Where the earlier capture is: `file,offset[,date]`. */
  origin: string;
}

/** A capture whose content another archive keeps. */
export interface KeptElsewhere {
  url: string;
  /** The file that has the content, and where in it. */
  file: string;
  offset: string;
  /** ISO 8601: when the content was captured; absent when nobody says. */
  capturedAt?: string;
}

/** The lines of a crawl log that name an original. */
export function duplicatesIn(log: readonly string[]): DuplicateLine[] {
  const read = new CrawlLogLine();
  return log.flatMap((line) => {
    const bytes = Buffer.from(line);
    if (read.read(new ByteView(bytes), 0, bytes.length) !== undefined || read.originEnd <= 0) return [];
    const [, , , url = "", , , , , started = ""] = line.split(/ +/);
    const origin = bytes.toString("utf8", read.originStart, read.originEnd);
    return [{ url, timestamp: started.slice(0, 14), origin }];
  });
}

/** An original that is not at hand. */
export function keptElsewhere({ url, origin }: Pick<DuplicateLine, "url" | "origin">): KeptElsewhere {
  const [file = "", offset = "", date = ""] = origin.split(",");
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(date) ?? [];
  return {
    url,
    file,
    offset,
    ...(year !== undefined && { capturedAt: `${year}-${month}-${day}T${hour}:${minute}:${second}Z` }),
  };
}

import type { StoredCapture } from "./cdx-line.ts";
import type { CrawledUrl } from "./crawl-log-line.ts";

/** What a later capture may be a duplicate of. */
export interface IndexEntry {
  url: string;
  digest: string;
  /** Of the original capture, `YYYYMMDDhhmmssSSS`. */
  date: string;
  /** Where its payload is: `file,offset[,date]`. */
  origin: string;
}

/** Lines of one job that belong to one shard. */
export interface JobCaptures {
  crawled: Iterable<CrawledUrl>;
  stored: Iterable<StoredCapture>;
}

export interface JobCounts {
  indexed: number;
  /** Crawled URLs of which no capture is stored. */
  withoutOrigin: number;
}

/** Joins the crawl logs of jobs with their CDXs by URL. All that it holds belongs to one shard of an index. */
export class CaptureJoin {
  /** By URL and digest. */
  private readonly entries = new Map<string, IndexEntry>();

  /** Adds the captures of a job. Of captures with the same content the first one stays, as it is the original. */
  add({ crawled, stored }: JobCaptures): JobCounts {
    const newest = new Map<string, StoredCapture>();
    for (const capture of stored) {
      const known = newest.get(capture.url);
      if (known === undefined || capture.date > known.date) newest.set(capture.url, capture);
    }
    const counts = { indexed: 0, withoutOrigin: 0 };
    for (const { url, digest, date, duplicateOf } of crawled) {
      const origin = duplicateOf ?? originOf(newest.get(url));
      if (origin === undefined) counts.withoutOrigin += 1;
      else {
        this.keepOriginal({
          url,
          digest,
          date: duplicateOf === undefined ? date : (dateIn(duplicateOf) ?? date),
          origin,
        });
        counts.indexed += 1;
      }
    }
    return counts;
  }

  /** In the order of their URLs; those of one URL by date. */
  sorted(): IndexEntry[] {
    return [...this.entries.values()].sort((a, b) => compare(a.url, b.url) || compare(a.date, b.date));
  }

  private keepOriginal(entry: IndexEntry): void {
    const key = `${entry.url} ${entry.digest.toUpperCase()}`;
    const known = this.entries.get(key);
    if (known === undefined || entry.date < known.date) this.entries.set(key, entry);
  }
}

/** Of strings by their UTF-16 units, as index files are sorted. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function originOf(capture: StoredCapture | undefined): string | undefined {
  return capture && `${capture.file},${capture.offset},${capture.date}000`;
}

/** The date that an annotation gives the original. */
function dateIn(origin: string): string | undefined {
  return /,(\d{17})$/.exec(origin)?.[1];
}

import { digest } from "../../core/digest.ts";
import type { UnreadLinks } from "../capture/discovered-link.ts";
import type { WantedUrl } from "../capture/wanted-url.ts";

/** A URL of a job. */
export interface JobUrl extends WantedUrl {
  /**
   * `wanted`: it has no outcome yet. `unread`: its response was received for the last time; unless the
   * outcome is stored in this receive, the response is in the dead-letter queue, and a redrive may still
   * store the outcome. `done`: its outcome is stored.
   */
  state: "wanted" | "unread" | "done";
  /** When it last became unread (ISO 8601). */
  unreadAt?: string;
  outcome?: UrlOutcome;
}

/** The outcome of a URL, which a job keeps until its files are written. */
export interface UrlOutcome {
  /** The time of the outcome (ISO 8601), by which the lines of the crawl log are ordered. */
  at: string;
  /** The line of the crawl log, without its line end. */
  log: string;
  /** Set if the job ended without an outcome of the URL. */
  isGivenUp?: true;
  /** The records of the exchange; absent if there was no response. */
  part?: CapturedPart;
  /** Set if some of its links were not read. */
  unread?: UnreadLinks;
}

/** The records of an exchange: consecutive gzip members in a separate object. */
export interface CapturedPart {
  /** The id of the object. Two readers of one message write two objects; the outcome names one of them. */
  partId: string;
  /** The number of the WARC file that will contain the records. */
  fileNumber: number;
  sizeBytes: number;
  /** The size of the first record, which the CDXJ describes. */
  recordBytes: number;
  date: string;
  /** The status; negative if no head of a response was received, see `CapturedAnswer`. */
  status: number;
  contentType?: string;
  isRevisit: boolean;
  digest?: string;
}

/** Stores the URLs of jobs. Each URL of a job exists once. */
export interface CapturedUrls {
  get(jobId: number, urlId: string): Promise<JobUrl | undefined>;
  /**
   * Adds wanted URLs, unless they exist.
   * @returns the URLs that are still wanted: new ones, and existing ones whose request may have been lost
   */
  add(jobId: number, wanted: readonly WantedUrl[]): Promise<WantedUrl[]>;
  /** Counts a URL with a query. @returns whether its path has at most `most` of them */
  countQuery(jobId: number, path: string, most: number): Promise<boolean>;
  /**
   * Records that the response of a URL, or an exchange before it, is received for the last time. No effect on
   * URLs that are done.
   */
  noteUnread(jobId: number, id: string, at: Date): Promise<void>;
  /** Stores an outcome. @returns false if an outcome is already stored */
  finish(jobId: number, urlId: string, outcome: UrlOutcome): Promise<boolean>;
  /**
   * Adds exchanges that preceded the last exchange of a URL, unless they exist, because their messages may be
   * read after that of the last one.
   * @param wanted by their ids
   */
  awaitInterims(jobId: number, wanted: ReadonlyMap<string, WantedUrl>): Promise<void>;
  /**
   * Stores an exchange that is not the last one of its URL, unless it is already stored. @param id begins
   * with the id of the URL
   */
  addInterim(jobId: number, id: string, exchange: WantedUrl & { outcome: UrlOutcome }): Promise<void>;
  /**
   * Returns whether a job has a wanted URL; unread URLs do not count. It may return true for a moment after
   * the last URL is done.
   */
  hasWanted(jobId: number): Promise<boolean>;
  /** Yields all URLs of a job, page by page. */
  pages(jobId: number): AsyncIterable<(JobUrl & { urlId: string })[]>;
}

/**
 * Returns the id of an exchange that preceded the last one of a URL. A repeated message yields the same id,
 * because a host gets one request at a time.
 */
export function interimIdOf(urlId: string, startedAt: Date): string {
  return `${urlId}-${startedAt.getTime()}`;
}

/** Returns the id of a URL in its job, which is also the id of its request. */
export function urlIdOf(jobId: number, url: string): string {
  return `capture-${jobId}-${digest(url)}`;
}

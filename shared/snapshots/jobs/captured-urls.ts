import { digest } from "../../core/digest.ts";
import type { UnreadLinks } from "../capture/discovered-link.ts";
import type { WantedUrl } from "../capture/wanted-url.ts";

/** A URL of a job. */
export interface JobUrl extends WantedUrl {
  /**
   * Wanted until its outcome is stored. Unread when its response is received for the last time: unless that stores the
   * outcome, the response is in the dead-letter queue. A redrive may still store it.
   */
  state: "wanted" | "unread" | "done";
  /** ISO 8601: when it became unread, the last time. */
  unreadAt?: string;
  outcome?: UrlOutcome;
}

/** What a job keeps of the outcome of a URL until its files are written. */
export interface UrlOutcome {
  /** ISO 8601; lines of the crawl log are in this order. */
  at: string;
  /** The line of the crawl log, without its end. */
  log: string;
  /** Set when the job has ended without it. */
  isGivenUp?: true;
  /** The records of the exchange; absent when there was no response. */
  part?: CapturedPart;
  /** Set when some of its links were not read. */
  unread?: UnreadLinks;
}

/** The records of an exchange, gzip members one after the other, as an object of their own. */
export interface CapturedPart {
  /** Two readers of one message write two objects; the outcome names one. */
  partId: string;
  /** The number of the WARC file that it goes into. */
  fileNumber: number;
  sizeBytes: number;
  /** The size of the first record, which the CDXJ tells of. */
  recordBytes: number;
  date: string;
  /** Below 0 when no head of an answer has come; see `CapturedAnswer`. */
  status: number;
  contentType?: string;
  isRevisit: boolean;
  digest?: string;
}

/** The URLs of jobs. Each URL of a job is there once. */
export interface CapturedUrls {
  get(jobId: number, urlId: string): Promise<JobUrl | undefined>;
  /**
   * Adds wanted URLs, unless they are there.
   * @returns those that are wanted still: new ones, and old ones whose request may have been lost
   */
  add(jobId: number, wanted: readonly WantedUrl[]): Promise<WantedUrl[]>;
  /** Counts a URL with a query. @returns whether its path has no more than `most` of them */
  countQuery(jobId: number, path: string, most: number): Promise<boolean>;
  /**
   * Notes that the response of a URL, or an exchange before it, is received for the last time; not so of what is done.
   */
  noteUnread(jobId: number, id: string, at: Date): Promise<void>;
  /** Stores an outcome. @returns false when one is stored already */
  finish(jobId: number, urlId: string, outcome: UrlOutcome): Promise<boolean>;
  /**
   * Wants exchanges that came before the last one of a URL, unless they are there: their messages may be read after its
   * own.
   * @param wanted by their ids
   */
  awaitInterims(jobId: number, wanted: ReadonlyMap<string, WantedUrl>): Promise<void>;
  /** Keeps an exchange that is not the last one of its URL, unless it is kept. @param id begins with that of a URL */
  addInterim(jobId: number, id: string, exchange: WantedUrl & { outcome: UrlOutcome }): Promise<void>;
  /**
   * Whether a URL is still wanted, which unread ones are not. It may report this of the last one for a moment after
   * that is done.
   */
  hasWanted(jobId: number): Promise<boolean>;
  /** All URLs of a job, page by page. */
  pages(jobId: number): AsyncIterable<(JobUrl & { urlId: string })[]>;
}

/**
 * The id of an exchange that came before the last one of a URL. A repeated message names the same one, as a host gets
 * one request at a time.
 */
export function interimIdOf(urlId: string, startedAt: Date): string {
  return `${urlId}-${startedAt.getTime()}`;
}

/** The id of a URL in its job, and of its request. */
export function urlIdOf(jobId: number, url: string): string {
  return `capture-${jobId}-${digest(url)}`;
}

import type { FeedEntry } from "./feed-entry.ts";

/** `rss-0.9x` is 0.90 (RDF) to 0.94, `rss-1.0` is the RDF one. */
export type FeedFormat = "rss-0.9x" | "rss-1.0" | "rss-2.0" | "atom-0.3" | "atom-1.0" | "json-feed";

/**
 * Why something is no feed.
 * - `empty`: nothing, or white space alone
 * - `html`: a web page
 * - `truncated`: it breaks off before its end
 * - `too-large`: it unpacks to more than the limit
 * - `encoding`: its characters cannot be read
 * - `not-well-formed`: a feed's mark-up, broken beyond repair
 * - `unknown-format`: another XML vocabulary, other JSON, or anything else
 */
export type NotAFeedReason =
  | "empty"
  | "html"
  | "truncated"
  | "too-large"
  | "encoding"
  | "not-well-formed"
  | "unknown-format";

/** What a format's mapping yields. */
export interface MappedFeed {
  format: FeedFormat;
  title?: string | undefined;
  entries: FeedEntry[];
  /** Entries that nothing can be fetched for; `index` counts all entries of the feed from 0. */
  dropped: { index: number; reason: string }[];
  /** Where the feed goes on. @see https://www.rfc-editor.org/rfc/rfc5005#section-3 */
  nextPageUrl?: string | undefined;
}

export interface Feed extends MappedFeed {
  type: "feed";
  /** Read only after repairs, or in another encoding than stated: `strictProblem` says why. */
  lenient: boolean;
  strictProblem?: string | undefined;
}

export interface NotAFeed {
  type: "not-a-feed";
  reason: NotAFeedReason;
  /** Sentences for a mail: what came instead, and what can be done about it. */
  detail: string;
}

export type FeedResult = Feed | NotAFeed;

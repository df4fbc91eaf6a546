import type { FeedEntry } from "./feed-entry.ts";

/** `rss-0.9x`: versions 0.90 (RDF) to 0.94; `rss-1.0`: the RDF version. */
export type FeedFormat = "rss-0.9x" | "rss-1.0" | "rss-2.0" | "atom-0.3" | "atom-1.0" | "json-feed";

/**
 * Why a body is not a feed.
 * - `empty`: no bytes, or white space only
 * - `html`: a web page
 * - `truncated`: the end is missing
 * - `too-large`: it unpacks to more than the limit, or has more entries or elements than are read
 * - `encoding`: it cannot be decoded
 * - `not-well-formed`: the XML or JSON of a feed, broken beyond repair
 * - `unknown-format`: other XML, other JSON, or anything else
 */
export type NotAFeedReason =
  | "empty"
  | "html"
  | "truncated"
  | "too-large"
  | "encoding"
  | "not-well-formed"
  | "unknown-format";

/** The result of mapping one format. */
export interface MappedFeed {
  format: FeedFormat;
  title?: string | undefined;
  entries: FeedEntry[];
  /** Entries without any URL; `index` counts all entries of the feed from 0. */
  dropped: { index: number; reason: string }[];
  /** The next page of a paged feed. @see https://www.rfc-editor.org/rfc/rfc5005#section-3 */
  nextPageUrl?: string | undefined;
}

export interface Feed extends MappedFeed {
  type: "feed";
  /** Read only after repairs, or in another encoding than stated; `strictProblem` has the reason. */
  lenient: boolean;
  strictProblem?: string | undefined;
}

export interface NotAFeed {
  type: "not-a-feed";
  reason: NotAFeedReason;
  /** Sentences for a mail: the problem, and what can be done about it. */
  detail: string;
}

export type FeedResult = Feed | NotAFeed;

import type { FeedEntry } from "./feed-entry.ts";

/** `rss-0.9x`: versions 0.90 (RDF) to 0.94; `rss-1.0`: the RDF version. */
export type FeedFormat = "rss-0.9x" | "rss-1.0" | "rss-2.0" | "atom-0.3" | "atom-1.0" | "json-feed";

/**
 * The reason why a body is not a feed.
 * - `empty`: no bytes, or only white space
 * - `html`: a web page
 * - `truncated`: the end is missing
 * - `too-large`: its size after decompression exceeds the limit, or it has more entries or elements than are read
 * - `encoding`: it cannot be decoded
 * - `not-well-formed`: the XML or JSON of a feed with faults that cannot be repaired
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

/** The result of mapping a feed of one format. */
export interface MappedFeed {
  format: FeedFormat;
  title?: string | undefined;
  entries: FeedEntry[];
  /** Entries without a URL. `index` is their position among all entries of the feed, from 0. */
  dropped: { index: number; reason: string }[];
  /** The next page of a paged feed. @see https://www.rfc-editor.org/rfc/rfc5005#section-3 */
  nextPageUrl?: string | undefined;
}

export interface Feed extends MappedFeed {
  type: "feed";
  /**
   * Set when the feed could be read only after repairs, or in another encoding than the stated one. `strictProblem` is
   * the reason.
   */
  lenient: boolean;
  strictProblem?: string | undefined;
}

export interface NotAFeed {
  type: "not-a-feed";
  reason: NotAFeedReason;
  /** Sentences for a mail: the problem, and what the recipient can do about it. */
  detail: string;
}

export type FeedResult = Feed | NotAFeed;

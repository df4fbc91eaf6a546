import type { FeedEntry } from "../../formats/feed/feed-entry.ts";
import type { Choices } from "../../web/translation/choices.ts";
import type { Statement } from "../witnesses/statement.ts";
import type { LinkedMetadataContext, LinkedMetadataRequest } from "./linked-metadata-request.ts";

/** The content of the response to an article request. */
export type ArticleContent =
  /** What is known about each article. */
  | { type: "items"; articles: Statements[]; harvestedUrl: string; warnings: string[]; list?: StoredPage }
  /** The page lacks metadata, so the record that it links to must be requested first. */
  | { type: "linked"; next: LinkedMetadataRequest }
  /** The translation server has translated the page, which must be read as well. */
  | { type: "translated"; bodyKey: string }
  /** A list of articles, offered by the translation server. */
  | { type: "choices"; choices: Choices }
  /**
   * An empty response of the translation server. The server occasionally returns one for pages that it can translate.
   */
  | { type: "empty" }
  /**
   * The translation server has no translator for the page and returns only its title and address, so the page itself
   * must be requested.
   */
  | { type: "untranslated" }
  | { type: "dropped" | "failed"; reason: string; list?: StoredPage };

/** What the witnesses of one article say. */
export type Statements = [Statement, ...Statement[]];

/**
 * A stored page. If it is the `list` of a content, the page is not the page of an article and may be a list of
 * articles.
 */
export type StoredPage = LinkedMetadataContext["page"];

/** What was known about an article before its page was requested. */
export interface KnownBefore {
  entry: FeedEntry;
  /** Set when the request was for a linked record. */
  linked?: LinkedMetadataContext | undefined;
  /** The stored response of the translation server for the page. */
  translation?: { bodyKey: string } | undefined;
}

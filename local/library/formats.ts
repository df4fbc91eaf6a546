/** `ingather/formats`: the metadata of articles in feeds, web pages, BibTeX, RIS and MODS. */
export type {
  ArticleMetadata,
  LocalizedText,
  MetadataCreator,
} from "../../shared/formats/article-metadata.ts";
export { parseBibtex } from "../../shared/formats/bibtex/bibtex.ts";
export type { FeedEntry } from "../../shared/formats/feed/feed-entry.ts";
export type {
  Feed,
  FeedFormat,
  FeedResult,
  NotAFeed,
  NotAFeedReason,
} from "../../shared/formats/feed/feed-result.ts";
export { type FeedHints, parseFeed } from "../../shared/formats/feed/parse-feed.ts";
export { parseMods } from "../../shared/formats/mods.ts";
export {
  type NotAPage,
  type NotAPageReason,
  type PageHints,
  type PageReading,
  readPageItem,
} from "../../shared/formats/page/read-page.ts";
export type { RecordFileResult } from "../../shared/formats/record-file-result.ts";
export { parseRis } from "../../shared/formats/ris.ts";
export type { ZoteroCreator, ZoteroItem } from "../../shared/formats/zotero-item.ts";

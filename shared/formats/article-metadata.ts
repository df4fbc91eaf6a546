import type { ZoteroCreator } from "./zotero-item.ts";

/** Item fields with one string value, which any vocabulary may have. */
export const textFields = [
  "title",
  "date",
  "publicationTitle",
  "journalAbbreviation",
  "conferenceName",
  "volume",
  "issue",
  "pages",
  "DOI",
  "ISSN",
  "ISBN",
  "language",
  "url",
  "publisher",
  "university",
  "institution",
] as const;

export type TextField = (typeof textFields)[number];

/**
 * The metadata of an article in one vocabulary. All texts are plain text; DOI, ISSN and ISBN are normalised; URLs are
 * unchanged. `itemType` is stated explicitly, `likelyType` is inferred; `article` means an unspecified type of article.
 */
export interface ArticleMetadata extends Partial<Record<TextField, string | undefined>> {
  itemType?: string | undefined;
  /** When the article was put online, if that is not its date of publication. */
  onlineDate?: string | undefined;
  /** Stated dates that no format can read and that `date` replaced. */
  unreadableDates?: string[];
  likelyType?: string | undefined;
  /** The item type that replaces `article` on this site. */
  articleType?: string | undefined;
  creators?: MetadataCreator[];
  /** Other titles of the same article, such as the translated one. */
  alternativeTitles?: string[];
  abstracts?: LocalizedText[];
  /** A short description; less than an abstract. */
  description?: string | undefined;
  keywords?: string[];
  /** Copyright and licence, as text or URL. */
  rights?: string[];
}

export interface MetadataCreator extends ZoteroCreator {
  orcid?: string;
}

/** A text with its language, when the page names it. */
export interface LocalizedText {
  text: string;
  language?: string;
}

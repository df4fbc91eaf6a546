import type { ZoteroCreator } from "./zotero-item.ts";

/** Item fields with a single string value. Any vocabulary may have them. */
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
 * The metadata of an article in one vocabulary. All texts are plain text. DOI, ISSN and ISBN are normalised, and URLs
 * are unchanged. `itemType` is stated explicitly, whereas `likelyType` is inferred. The type `article` means an
 * unspecified type of article.
 */
export interface ArticleMetadata extends Partial<Record<TextField, string | undefined>> {
  itemType?: string | undefined;
  /** The date in the statement of volume and issue, such as 2016 in "Vol. 18 No. 1 (2016)". */
  volumeDate?: string | undefined;
  /** The date on which the article was put online, if it differs from the date of publication. */
  onlineDate?: string | undefined;
  /** Stated dates that name no year, and that `date` replaces. */
  unreadableDates?: string[];
  likelyType?: string | undefined;
  /** The item type that replaces `article` on this site. */
  articleType?: string | undefined;
  creators?: MetadataCreator[];
  /** Other titles of the same article, such as the translated one. */
  alternativeTitles?: string[];
  abstracts?: LocalizedText[];
  /** A short description, which is less than an abstract. */
  description?: string | undefined;
  keywords?: string[];
  /** Copyright and licence, as text or URL. */
  rights?: string[];
}

export interface MetadataCreator extends ZoteroCreator {
  orcid?: string;
}

/** A text with its language, if the page names it. */
export interface LocalizedText {
  text: string;
  language?: string;
}

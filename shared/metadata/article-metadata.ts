import type { ZoteroCreator } from "./zotero-item.ts";

/** The item's fields that hold one text, and that every vocabulary may state. */
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
 * What one vocabulary says of the article. All texts are plain, DOI and ISSN in their normal form, URLs as written.
 * `itemType` is said outright, `likelyType` only suggested; `article` stands for an article of a kind not said.
 */
export interface ArticleMetadata extends Partial<Record<TextField, string | undefined>> {
  itemType?: string | undefined;
  /** Dates that no format reads, which `date` goes before. */
  unreadableDates?: string[];
  likelyType?: string | undefined;
  /** What an `article` is on this site. */
  articleType?: string | undefined;
  creators?: MetadataCreator[];
  /** Other titles of the same article, such as the translated one. */
  alternativeTitles?: string[];
  abstracts?: LocalizedText[];
  /** What the page is about, in the words of its makers: less than an abstract. */
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

/**
 * One article of a feed, with the common fields of RSS, Atom and JSON Feed, and those of Dublin Core and PRISM. Texts
 * are plain (no markup, no entities, white space collapsed). Summaries are not read, because they may be whole
 * articles, and because the page has the abstract.
 */
export interface FeedEntry {
  /** The feed's id (guid, atom:id, rdf:about) or, if it is missing, `url`. The id is not always unique. */
  id: string;
  /** Absolute http(s) URL of the article's page. */
  url: string;
  title?: string | undefined;
  /** The date as the feed writes it. */
  published?: string | undefined;
  /** `published` as ISO 8601, with the same precision and time zone; absent when it cannot be parsed. */
  publishedIso?: string | undefined;
  updated?: string | undefined;
  updatedIso?: string | undefined;
  /** Unparsed names in the feed's order, such as "Zhang, Kai" or "Kai Zhang". */
  creators: string[];
  /** The bare DOI, which starts with "10.". */
  doi?: string | undefined;
  volume?: string | undefined;
  issue?: string | undefined;
  startingPage?: string | undefined;
  endingPage?: string | undefined;
  /** A page range, from `prism:pageRange`. */
  pages?: string | undefined;
  /** The journal title. The title and the ISSNs may come from the feed's head. */
  publicationName?: string | undefined;
  issn?: string | undefined;
  eissn?: string | undefined;
  language?: string | undefined;
  section?: string | undefined;
  keywords: string[];
}

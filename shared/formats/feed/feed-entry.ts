/**
 * One article of a feed: the common fields of RSS, Atom and JSON Feed, and those of Dublin Core and PRISM. Texts are plain
 * (no markup, no entities, white space collapsed). Summaries are not read: they may be whole articles, and the page has the
 * abstract.
 */
export interface FeedEntry {
  /** The feed's id (guid, atom:id, rdf:about), else `url`. Not always unique. */
  id: string;
  /** Absolute http(s) URL of the article's page. */
  url: string;
  title?: string | undefined;
  /** As in the feed. */
  published?: string | undefined;
  /** `published` as ISO 8601, in its precision and time zone; absent when it cannot be parsed. */
  publishedIso?: string | undefined;
  updated?: string | undefined;
  updatedIso?: string | undefined;
  /** Unparsed, in the feed's order: "Zhang, Kai" as well as "Kai Zhang". */
  creators: string[];
  /** Bare: starts with "10.". */
  doi?: string | undefined;
  volume?: string | undefined;
  issue?: string | undefined;
  startingPage?: string | undefined;
  endingPage?: string | undefined;
  /** A page range, from `prism:pageRange`. */
  pages?: string | undefined;
  /** The journal title; it and the ISSNs may come from the feed's head. */
  publicationName?: string | undefined;
  issn?: string | undefined;
  eissn?: string | undefined;
  language?: string | undefined;
  section?: string | undefined;
  keywords: string[];
}

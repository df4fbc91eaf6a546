/**
 * One article as a feed announces it: what RSS, Atom and JSON Feed have in common, and what Dublin Core and PRISM add.
 * Text is plain (no markup, no entities, white space collapsed); what a feed does not say is absent. Summaries
 * are not read: they may be whole articles, and the page has the abstract.
 */
export interface FeedEntry {
  /** The feed's own identifier (guid, atom:id, rdf:about), else `url`. Others may have the same. */
  id: string;
  /** Absolute http(s) URL of the article's page. */
  url: string;
  title?: string | undefined;
  /** As the feed gives it. */
  published?: string | undefined;
  /** ISO 8601 in the precision and time zone of `published`; absent when that cannot be parsed. */
  publishedIso?: string | undefined;
  updated?: string | undefined;
  updatedIso?: string | undefined;
  /** As written, in the feed's order: "Zhang, Kai" as well as "Kai Zhang". */
  creators: string[];
  /** Bare: starts with "10.". */
  doi?: string | undefined;
  volume?: string | undefined;
  issue?: string | undefined;
  startingPage?: string | undefined;
  endingPage?: string | undefined;
  /** A range in one piece, as `prism:pageRange` gives it. */
  pages?: string | undefined;
  /** The journal's title; like the ISSNs it may come from the feed's head. */
  publicationName?: string | undefined;
  issn?: string | undefined;
  eissn?: string | undefined;
  language?: string | undefined;
  section?: string | undefined;
  keywords: string[];
}

/**
 * An item in the JSON format of Zotero's translation server, with the fields of journal articles. Other fields are
 * kept.
 * @see https://www.zotero.org/support/dev/web_api/v3/types_and_fields
 */
export interface ZoteroItem {
  itemType: string;
  title?: string;
  shortTitle?: string;
  creators?: ZoteroCreator[];
  abstractNote?: string;
  publicationTitle?: string;
  journalAbbreviation?: string;
  volume?: string;
  issue?: string;
  pages?: string;
  /** The date as the page writes it; the conversion parses it. */
  date?: string;
  /** A BCP 47 tag if the page uses one, otherwise the text on the page. */
  language?: string;
  DOI?: string;
  ISSN?: string;
  url?: string;
  tags?: ZoteroTag[];
  /** Notes of the form `key:value`, e.g. `orcid:0000-… | First Last`. */
  notes?: { note: string }[];
  [field: string]: unknown;
}

/** A person (first and last name) or, with only `name`, an organisation or an unsplit name. */
export interface ZoteroCreator {
  creatorType: string;
  firstName?: string;
  lastName?: string;
  name?: string;
  /** The kind that the source states, if the words of the name suggest the other kind. */
  kind?: "person" | "body";
}

interface ZoteroTag {
  tag: string;
  type?: number;
}

/** Returns the fields that identify an item. A field that is missing, empty or not a string is undefined. */
export function identifyingFields(item: ZoteroItem | undefined): {
  doi: string | undefined;
  url: string | undefined;
  title: string | undefined;
} {
  const nonEmptyText = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return { doi: nonEmptyText(item?.DOI), url: nonEmptyText(item?.url), title: nonEmptyText(item?.title) };
}

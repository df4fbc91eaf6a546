/**
 * An item in the JSON format of Zotero's translation server, with the fields of journal articles. Other fields are kept.
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
  /** As on the page; the conversion parses it. */
  date?: string;
  /** BCP 47 if the page uses it, otherwise as on the page. */
  language?: string;
  DOI?: string;
  ISSN?: string;
  url?: string;
  tags?: ZoteroTag[];
  /** `key:value` notes, e.g. `orcid:0000-… | First Last`. */
  notes?: { note: string }[];
  [field: string]: unknown;
}

/** A person (first and last name), or, with `name` only, an organisation or an unsplit name. */
export interface ZoteroCreator {
  creatorType: string;
  firstName?: string;
  lastName?: string;
  name?: string;
}

interface ZoteroTag {
  tag: string;
  type?: number;
}

/** The fields that identify an item; undefined where a field is missing, empty or not a string. */
export function identifyingFields(item: ZoteroItem | undefined): {
  doi: string | undefined;
  url: string | undefined;
  title: string | undefined;
} {
  const nonEmptyText = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return { doi: nonEmptyText(item?.DOI), url: nonEmptyText(item?.url), title: nonEmptyText(item?.title) };
}

import { fieldDoi, statedDoi } from "../doi.ts";
import { htmlToText } from "../plain-text.ts";
import { childOf, childrenOf, type XmlElement } from "../xml/xml-tree.ts";
import { datesOf, type EntryDates, type FeedDate, readDate } from "./dates.ts";
import type { FeedEntry } from "./feed-entry.ts";

/** What the feed's head says of the journal holds for each of its entries. */
export type JournalFields = Pick<FeedEntry, "publicationName" | "issn" | "eissn" | "language">;

export type BibliographicFields = JournalFields &
  Pick<
    FeedEntry,
    "creators" | "doi" | "volume" | "issue" | "startingPage" | "endingPage" | "pages" | "section" | "keywords"
  >;

/** Dublin Core's and PRISM's description of the journal, on a channel, a feed or an entry. */
export function readJournal(element: XmlElement): JournalFields {
  return {
    publicationName: textOf(element, "prism:publicationname", "prism:publicationtitle"),
    issn: textOf(element, "prism:issn"),
    eissn: textOf(element, "prism:eissn"),
    language: textOf(element, "dc:language", "dcterms:language") ?? element.language,
  };
}

/**
 * Dublin Core's and PRISM's description of an article, on an entry of any XML format.
 * @see https://www.dublincore.org/specifications/dublin-core/dces/
 * @see https://www.w3.org/submissions/2020/SUBM-prism-20200910/prism-basic.html
 */
export function readBibliography(entry: XmlElement, journal: JournalFields): BibliographicFields {
  const own = readJournal(entry);
  const creators = textsOf(entry, "dc:creator");
  return {
    publicationName: own.publicationName ?? journal.publicationName,
    issn: own.issn ?? journal.issn,
    eissn: own.eissn ?? journal.eissn,
    language: own.language ?? journal.language,
    creators: creators.length > 0 ? creators : textsOf(entry, "dcterms:creator"),
    doi: doiOf(entry),
    volume: textOf(entry, "prism:volume"),
    issue: textOf(entry, "prism:number", "prism:issueidentifier"),
    startingPage: textOf(entry, "prism:startingpage"),
    endingPage: textOf(entry, "prism:endingpage"),
    pages: textOf(entry, "prism:pagerange"),
    section: textOf(entry, "prism:section"),
    keywords: [...textsOf(entry, "dc:subject"), ...textsOf(entry, "prism:keyword")],
  };
}

function doiOf(entry: XmlElement): string | undefined {
  for (const name of ["prism:doi", "dc:identifier", "dcterms:identifier"]) {
    for (const text of textsOf(entry, name)) {
      // An identifier may be of anything else.
      const doi = name === "prism:doi" ? fieldDoi(text) : statedDoi(text);
      if (doi !== undefined) return doi;
    }
  }
  return undefined;
}

const publishedNames = ["prism:publicationdate", "prism:coverdate", "dcterms:issued", "dc:date"];
const updatedNames = ["prism:modificationdate", "dcterms:modified"];

/** An article's dates: the format's own elements first, then PRISM's, then Dublin Core's. */
export function readDates(entry: XmlElement, own: { published: string[]; updated: string[] }): EntryDates {
  return datesOf({
    published: dateOf(entry, [...own.published, ...publishedNames]),
    updated: dateOf(entry, [...own.updated, ...updatedNames]),
  });
}

/** The first text, without mark-up, among the children of these names; an earlier name wins. */
export function textOf(element: XmlElement, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const child of childrenOf(element, name)) {
      for (const holder of textHolders(child)) {
        const text = plainText(holder);
        if (text !== undefined) return text;
      }
    }
  }
  return undefined;
}

/** The texts, without mark-up, of all children of that name, in their order; lists of RDF are resolved. */
export function textsOf(element: XmlElement, name: string): string[] {
  const texts: string[] = [];
  for (const child of childrenOf(element, name)) {
    for (const holder of textHolders(child)) {
      const text = plainText(holder);
      if (text !== undefined) texts.push(text);
    }
  }
  return texts;
}

function plainText({ text, attributes }: XmlElement): string | undefined {
  return htmlToText(text || attributes["rdf:resource"]);
}

/** The element, or the items of the list in it. @see https://www.w3.org/TR/rdf11-schema/#ch_containervocab */
function textHolders(element: XmlElement): readonly XmlElement[] {
  if (element.children === undefined) return [element];
  const list = childOf(element, "rdf:Seq") ?? childOf(element, "rdf:Bag");
  return list === undefined ? [element] : childrenOf(list, "rdf:li");
}

/** The first of the dates that can be parsed, else the first that there is. */
function dateOf(element: XmlElement, names: string[]): FeedDate | undefined {
  let unparsed: FeedDate | undefined;
  for (const name of names) {
    for (const { text } of childrenOf(element, name)) {
      const date = readDate(text);
      if (date?.iso !== undefined) return date;
      unparsed ??= date;
    }
  }
  return unparsed;
}

import { findFieldDoi, parseDoi } from "../../identifiers/doi.ts";
import { childOf, childrenOf, type XmlElement } from "../../xml/xml-tree.ts";
import { htmlToText } from "../plain-text.ts";
import { buildEntryDates, type EntryDates, type FeedDate, parseFeedDate } from "./feed-dates.ts";
import type { FeedEntry } from "./feed-entry.ts";

/** The fields of the journal. Those in the feed's head apply to all entries. */
export type JournalFields = Pick<FeedEntry, "publicationName" | "issn" | "eissn" | "language">;

type BibliographicFields = JournalFields &
  Pick<
    FeedEntry,
    "creators" | "doi" | "volume" | "issue" | "startingPage" | "endingPage" | "pages" | "section" | "keywords"
  >;

/** Reads the journal from the Dublin Core and PRISM elements of a channel, a feed or an entry. */
export function readJournal(element: XmlElement): JournalFields {
  return {
    publicationName: firstText(element, "prism:publicationname", "prism:publicationtitle"),
    issn: firstText(element, "prism:issn"),
    eissn: firstText(element, "prism:eissn"),
    language: firstText(element, "dc:language", "dcterms:language") ?? element.language,
  };
}

/**
 * Reads an article from the Dublin Core and PRISM elements of an entry, in any XML format.
 * @see https://www.dublincore.org/specifications/dublin-core/dces/
 * @see https://www.w3.org/submissions/2020/SUBM-prism-20200910/prism-basic.html
 */
export function readBibliography(entry: XmlElement, journal: JournalFields): BibliographicFields {
  const own = readJournal(entry);
  const creators = allTexts(entry, "dc:creator");
  return {
    publicationName: own.publicationName ?? journal.publicationName,
    issn: own.issn ?? journal.issn,
    eissn: own.eissn ?? journal.eissn,
    language: own.language ?? journal.language,
    creators: creators.length > 0 ? creators : allTexts(entry, "dcterms:creator"),
    doi: findDoi(entry),
    volume: firstText(entry, "prism:volume"),
    issue: firstText(entry, "prism:number", "prism:issueidentifier"),
    startingPage: firstText(entry, "prism:startingpage"),
    endingPage: firstText(entry, "prism:endingpage"),
    pages: firstText(entry, "prism:pagerange"),
    section: firstText(entry, "prism:section"),
    keywords: [...allTexts(entry, "dc:subject"), ...allTexts(entry, "prism:keyword")],
  };
}

function findDoi(entry: XmlElement): string | undefined {
  for (const name of ["prism:doi", "dc:identifier", "dcterms:identifier"]) {
    for (const text of allTexts(entry, name)) {
      // A dc:identifier need not be a DOI.
      const doi = name === "prism:doi" ? findFieldDoi(text) : parseDoi(text);
      if (doi !== undefined) return doi;
    }
  }
  return undefined;
}

const publishedNames = ["prism:publicationdate", "prism:coverdate", "dcterms:issued", "dc:date"];
const updatedNames = ["prism:modificationdate", "dcterms:modified"];

/** Reads dates, first from the format's own elements, then from PRISM, then from Dublin Core. */
export function readDates(entry: XmlElement, own: { published: string[]; updated: string[] }): EntryDates {
  return buildEntryDates({
    published: findDate(entry, [...own.published, ...publishedNames]),
    updated: findDate(entry, [...own.updated, ...updatedNames]),
  });
}

/** Returns the first text, without markup, of the children with these names, in the order of the names. */
export function firstText(element: XmlElement, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const child of childrenOf(element, name)) {
      for (const holder of textHolders(child)) {
        const text = elementText(holder);
        if (text !== undefined) return text;
      }
    }
  }
  return undefined;
}

/** Returns the texts, without markup, of all children with that name, and of the items of RDF lists in them. */
export function allTexts(element: XmlElement, name: string): string[] {
  const texts: string[] = [];
  for (const child of childrenOf(element, name)) {
    for (const holder of textHolders(child)) {
      const text = elementText(holder);
      if (text !== undefined) texts.push(text);
    }
  }
  return texts;
}

function elementText({ text, attributes }: XmlElement): string | undefined {
  return htmlToText(text || attributes["rdf:resource"]);
}

/** Returns the element, or the items of the list in it. @see https://www.w3.org/TR/rdf11-schema/#ch_containervocab */
function textHolders(element: XmlElement): readonly XmlElement[] {
  if (element.children === undefined) return [element];
  const list = childOf(element, "rdf:Seq") ?? childOf(element, "rdf:Bag");
  return list === undefined ? [element] : childrenOf(list, "rdf:li");
}

/** Returns the first date that can be parsed or, if there is none, the first date. */
function findDate(element: XmlElement, names: string[]): FeedDate | undefined {
  let unparsed: FeedDate | undefined;
  for (const name of names) {
    for (const { text } of childrenOf(element, name)) {
      const date = parseFeedDate(text);
      if (date?.iso !== undefined) return date;
      unparsed ??= date;
    }
  }
  return unparsed;
}

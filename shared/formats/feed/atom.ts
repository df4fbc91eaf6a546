import { childOf, childrenOf, type XmlElement } from "../../xml/xml-tree.ts";
import { htmlToText, tidyText } from "../plain-text.ts";
import { allTexts, type JournalFields, readBibliography, readDates, readJournal } from "./bibliography.ts";
import { completeEntries, type DraftEntry, firstWebUrl } from "./complete-entries.ts";
import type { MappedFeed } from "./feed-result.ts";

/**
 * @see https://www.rfc-editor.org/rfc/rfc4287
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-atompub-format-00 Atom 0.3, recognised by its version
 */
export function mapAtom(root: XmlElement): MappedFeed {
  const journal = readJournal(root);
  return {
    format: root.attributes.version === "0.3" ? "atom-0.3" : "atom-1.0",
    title: readTextConstruct(childOf(root, "atom:title")),
    nextPageUrl: firstWebUrl(findAtomLinks(root, "next")),
    ...completeEntries(childrenOf(root, "atom:entry").map((entry) => mapEntry(entry, journal))),
  };
}

function mapEntry(entry: XmlElement, journal: JournalFields): DraftEntry {
  const bibliography = readBibliography(entry, journal);
  const id = tidyText(childOf(entry, "atom:id")?.text);
  return {
    ...bibliography,
    id,
    url: firstWebUrl([
      { href: childOf(entry, "feedburner:origLink")?.text },
      ...findAtomLinks(entry, "alternate"),
      { href: id },
      { href: childOf(entry, "atom:content")?.attributes.src, base: entry.base },
      ...[...allTexts(entry, "prism:url"), ...allTexts(entry, "dc:identifier")].map((href) => ({ href })),
    ]),
    title: readTextConstruct(childOf(entry, "atom:title")) ?? allTexts(entry, "dc:title")[0],
    ...readDates(entry, {
      published: ["atom:published", "atom:issued", "atom:created"],
      updated: ["atom:updated", "atom:modified"],
    }),
    creators: bibliography.creators.length > 0 ? bibliography.creators : readAuthors(entry),
    keywords: [...new Set([...bibliography.keywords, ...readCategories(entry)])],
  };
}

/**
 * Returns the plain text of a text construct. HTML tags are removed only if the type is HTML. Those of XHTML belong to
 * the document's own markup and were already removed.
 * @see https://www.rfc-editor.org/rfc/rfc4287#section-3.1
 */
function readTextConstruct(construct: XmlElement | undefined): string | undefined {
  if (construct === undefined) return undefined;
  return /^(?:text\/)?html$/i.test(construct.attributes.type ?? "text")
    ? htmlToText(construct.text)
    : tidyText(construct.text);
}

/**
 * Reads the authors of an entry. The author of the feed is ignored, because in the feed of a journal this is the
 * publisher.
 */
function readAuthors(entry: XmlElement): string[] {
  const source = childOf(entry, "atom:source");
  const own = childrenOf(entry, "atom:author");
  const authors = own.length > 0 || source === undefined ? own : childrenOf(source, "atom:author");
  return authors.flatMap((author) => tidyText(childOf(author, "atom:name")?.text) ?? []);
}

function readCategories(entry: XmlElement): string[] {
  return childrenOf(entry, "atom:category").flatMap(
    ({ attributes }) => tidyText(attributes.label) ?? tidyText(attributes.term) ?? [],
  );
}

/** Returns the Atom links of an element in any feed format, HTML pages first. */
export function findAtomLinks(
  element: XmlElement,
  rel: string,
): { href: string | undefined; base: string }[] {
  const links = childrenOf(element, "atom:link").filter(
    ({ attributes }) => (attributes.rel ?? "alternate") === rel,
  );
  if (links.length === 0) return [];
  const [pages, others] = [true, false].map((isHtml) =>
    links.filter(({ attributes }) => /html/i.test(attributes.type ?? "html") === isHtml),
  );
  return [...(pages ?? []), ...(others ?? [])].map(({ attributes, base }) => ({
    href: attributes.href,
    base,
  }));
}

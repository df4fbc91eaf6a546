import { childOf, childrenOf, type XmlElement } from "../../xml/xml-tree.ts";
import { tidyText } from "../plain-text.ts";
import { findAtomLinks } from "./atom.ts";
import {
  allTexts,
  firstText,
  type JournalFields,
  readBibliography,
  readDates,
  readJournal,
} from "./bibliography.ts";
import { completeEntries, type DraftEntry, firstWebUrl } from "./complete-entries.ts";
import type { FeedFormat, MappedFeed } from "./feed-result.ts";

/**
 * Maps a feed of the RSS family. In `<rss>`, the items are in the channel; in `<rdf:RDF>`, they follow the channel.
 * @see https://www.rssboard.org/rss-specification
 * @see https://web.resource.org/rss/1.0/spec
 */
export function mapRss(root: XmlElement): MappedFeed {
  const channel = childOf(root, "channel") ?? root;
  const items = channel === root ? [] : childrenOf(channel, "item");
  const journal = readJournal(channel);
  journal.language ??= firstText(channel, "language");
  return {
    format: detectFormat(root),
    title: firstText(channel, "title", "dc:title"),
    nextPageUrl: firstWebUrl(findAtomLinks(channel, "next")),
    ...completeEntries([...items, ...childrenOf(root, "item")].map((item) => mapItem(item, journal))),
  };
}

function detectFormat(root: XmlElement): FeedFormat {
  if (root.name === "rdf:RDF") return root.attributes.xmlns?.includes("/simple/0.9") ? "rss-0.9x" : "rss-1.0";
  return root.attributes.version?.startsWith("0.9") ? "rss-0.9x" : "rss-2.0";
}

function mapItem(item: XmlElement, journal: JournalFields): DraftEntry {
  const bibliography = readBibliography(item, journal);
  const guid = childOf(item, "guid");
  const about = item.attributes["rdf:about"];
  return {
    ...bibliography,
    id: tidyText(guid?.text) ?? tidyText(about),
    url: findLink(item) ?? findOtherUrl(item, { guid, about }),
    title: firstText(item, "title", "dc:title"),
    ...readDates(item, { published: ["pubDate"], updated: ["atom:updated"] }),
    creators:
      bibliography.creators.length > 0 ? bibliography.creators : allTexts(item, "author").map(findPersonName),
    keywords: [...new Set([...bibliography.keywords, ...allTexts(item, "category")])],
  };
}

function findLink(item: XmlElement): string | undefined {
  return firstWebUrl([
    // FeedBurner replaces the link with its click counter and has the original link in this element.
    { href: childOf(item, "feedburner:origLink")?.text },
    ...childrenOf(item, "link").map(({ text, base }) => ({ href: text, base })),
  ]);
}

function findOtherUrl(
  item: XmlElement,
  { guid, about }: { guid: XmlElement | undefined; about: string | undefined },
): string | undefined {
  return firstWebUrl([
    ...findAtomLinks(item, "alternate"),
    { href: guid?.attributes.isPermaLink?.trim() === "false" ? undefined : guid?.text },
    { href: about },
    ...[...allTexts(item, "prism:url"), ...allTexts(item, "dc:identifier")].map((href) => ({ href })),
  ]);
}

/** Returns the name in "editor@example.org (Ada Lovelace)", otherwise the whole text. */
function findPersonName(author: string): string {
  return /^[^\s@]+@[^\s@]+ \((.+)\)$/.exec(author)?.[1] ?? author;
}

import { decodeHTMLStrict, escapeUTF8 } from "entities";

const feedRoot = /<((?:[\w.-]+:)?(?:rss|feed|RDF))(?=[\s>])/i;

/** A CDATA section (where `&` means itself), or a reference, or a bare `&`. */
const cdataOrReference = /<!\[CDATA\[(?:[\s\S]*?\]\]>|[\s\S]*$)|&(?:#?\w+;)?/g;

/** What XML 1.0 forbids even as a reference. @see https://www.w3.org/TR/xml/#charsets */
const forbiddenCharacter = /[[\p{Cc}\ufffe\uffff]--[\t\n\r\u0080-\u009f]]/gv;

/** Where a feed's root element starts in a text that may have anything before it. */
export function findFeedRoot(text: string): { start: number; name: string } | undefined {
  const found = feedRoot.exec(text);
  return found?.[1] === undefined ? undefined : { start: found.index, name: found[1] };
}

/**
 * A feed's text with the faults mended that lose nothing. Every other fault stays, for the parser to refuse:
 * - anything before and after the root element
 * - HTML's named entities, references to forbidden characters, bare `&`
 * - forbidden characters
 * - a missing end of the frame, when all that it holds has ended
 */
export function repairFeed(text: string, root: { start: number; name: string }): string {
  // The line breaks before the root stay, so that the parser goes on counting lines as the publisher does.
  const lineBreaks = text.slice(0, root.start).replace(/[^\n]+/g, "");
  return endFrame(lineBreaks + text.slice(root.start), root.name)
    .replace(cdataOrReference, (found) =>
      found.startsWith("<") ? found : escapeUTF8(decodeHTMLStrict(found)),
    )
    .replace(forbiddenCharacter, "");
}

/** What a strict reading stumbled over, in words that point to the place. */
export function describeFault(text: string, broken: { problem: string; atEnd: boolean }): string {
  // Of a "&" without any ";" after it the parser makes a reference that goes on to the end of the text.
  const reference = broken.atEnd ? text.indexOf("&", text.lastIndexOf(";") + 1) : -1;
  if (reference < 0) return broken.problem;
  return `line ${text.slice(0, reference).split("\n").length}: a "&" that is not escaped`;
}

/** Cuts off what follows the root's end tag; completes the frame where nothing but its last end tag is missing. */
function endFrame(text: string, rootName: string): string {
  const end = text.lastIndexOf(`</${rootName}`);
  if (end >= 0) return `${text.slice(0, end)}</${rootName}>`;
  // Of RSS alone: RSS 1.0 has its items after the channel.
  return rootName === "rss" && text.trimEnd().endsWith("</channel>") ? `${text}</rss>` : text;
}

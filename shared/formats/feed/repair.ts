import { repairCharacters } from "../../xml/repair-characters.ts";

const feedRoot = /<((?:[\w.-]+:)?(?:rss|feed|RDF))(?=[\s>])/i;

/** Finds the root element of a feed. Any text may precede it. */
export function findFeedRoot(text: string): { start: number; name: string } | undefined {
  const found = feedRoot.exec(text);
  return found?.[1] === undefined ? undefined : { start: found.index, name: found[1] };
}

/**
 * Repairs the faults of a feed that can be repaired without loss. The parser rejects all other faults. Repairs:
 * - remove text before and after the root element
 * - replace HTML's named entities, references to forbidden characters, and bare `&`
 * - remove forbidden characters
 * - add the end tag of `<rss>` if only that tag is missing
 */
export function repairFeed(text: string, root: { start: number; name: string }): string {
  // Line breaks before the root are kept, so that line numbers remain correct.
  const lineBreaks = text.slice(0, root.start).replace(/[^\n]+/g, "");
  return repairCharacters(endAtRoot(lineBreaks + text.slice(root.start), root.name));
}

/** Describes the first fault, with its line. */
export function describeFault(text: string, broken: { problem: string; atEnd: boolean }): string {
  // The parser reads a "&" without a later ";" as a reference that extends to the end of the text.
  const reference = broken.atEnd ? text.indexOf("&", text.lastIndexOf(";") + 1) : -1;
  if (reference < 0) return broken.problem;
  return `line ${text.slice(0, reference).split("\n").length}: a "&" that is not escaped`;
}

/** Removes text after the root's end tag. Adds the end tag of `<rss>` if only that tag is missing. */
function endAtRoot(text: string, rootName: string): string {
  const end = text.lastIndexOf(`</${rootName}`);
  if (end >= 0) return `${text.slice(0, end)}</${rootName}>`;
  // This does not apply to RSS 1.0, in which the items follow the channel.
  return rootName === "rss" && text.trimEnd().endsWith("</channel>") ? `${text}</rss>` : text;
}

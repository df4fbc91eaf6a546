import { childOf, parseXmlTree, type XmlElement } from "../../xml/xml-tree.ts";
import { mapAtom } from "./atom.ts";
import { decodeFeed } from "./decode-feed.ts";
import { hasTooManyContainers, maxFeedEntries } from "./feed-limits.ts";
import type { FeedResult, MappedFeed, NotAFeed } from "./feed-result.ts";
import { mapJsonFeed } from "./json-feed.ts";
import { normalizeNames } from "./normalize-names.ts";
import { buildNotAFeed, describeUnknownFormat, detectHtml } from "./not-a-feed.ts";
import { describeFault, findFeedRoot, repairFeed } from "./repair.ts";
import { mapRss } from "./rss.ts";

export interface FeedHints {
  /** The response's Content-Type. Only its charset is used, because the media type of feeds is often wrong. */
  contentType?: string | undefined;
  /** The feed's URL after redirects, for relative links. */
  url: string;
}

/** Parses a feed in any format, or returns the reason why the body is not a feed. */
export function parseFeed(bytes: Uint8Array, hints: FeedHints): FeedResult {
  const decoding = decodeFeed(bytes, hints.contentType);
  if (decoding.type === "undecodable") {
    return (
      detectHtml(decoding.start) ??
      buildNotAFeed(decoding.reason, `The feed cannot be read: ${decoding.detail}.`)
    );
  }
  const { text } = decoding;
  if (/^[\s\0]*$/.test(text)) return buildNotAFeed("empty", "The URL returned an empty body.");

  const reading = text.trimStart().startsWith("{")
    ? parseJsonFeed(text, hints.url)
    : parseXmlFeed(text, hints.url);
  if (reading.type !== "mapped") return reading;
  const problems = [decoding.problem, reading.problem].filter((problem) => problem !== undefined);
  return {
    type: "feed",
    ...reading.feed,
    lenient: problems.length > 0,
    strictProblem: problems.length > 0 ? problems.join("; ") : undefined,
  };
}

type Mapped = { type: "mapped"; feed: MappedFeed; problem?: string };
type Mapping = Mapped | NotAFeed;

/** Parses strictly. If that fails, the text is repaired and parsed again. */
function parseXmlFeed(text: string, url: string): Mapping {
  const strict = parseXmlTree(text, { url, lenient: false });
  if (strict.type === "tree") {
    if (hasTooManyEntries(strict.root)) return feedTooLarge;
    return mapTree(strict.root) ?? detectHtml(text) ?? describeUnknownFormat(text);
  }
  if (strict.isTooLarge) return feedTooLarge;

  const root = findFeedRoot(text);
  if (root === undefined || /<(?:html|head|body)\b/i.test(text.slice(0, root.start))) {
    const isTruncated = strict.atEnd && !/<[a-z][^<>]*>/i.test(text);
    return detectHtml(text) ?? (isTruncated ? truncatedFeed(strict.problem) : describeUnknownFormat(text));
  }
  const lenient = parseXmlTree(repairFeed(text, root), { url, lenient: true });
  if (lenient.type === "broken") {
    if (lenient.isTooLarge) return feedTooLarge;
    return lenient.atEnd
      ? truncatedFeed(lenient.problem)
      : buildNotAFeed("not-well-formed", `The feed's XML is broken (${lenient.problem}).`);
  }
  if (hasTooManyEntries(lenient.root)) return feedTooLarge;
  const mapping = mapTree(lenient.root);
  const fault = describeFault(text, strict);
  return mapping === undefined
    ? describeUnknownFormat(text)
    : { ...mapping, problem: mapping.problem === undefined ? fault : `${fault}; ${mapping.problem}` };
}

/** Maps the feed in a document. Wrong names are corrected if needed. */
function mapTree(root: XmlElement): Mapped | undefined {
  const feed = mapRoot(root);
  if (feed !== undefined) return { type: "mapped", feed };
  const other = normalizeNames(root);
  const respelledFeed = other && mapRoot(other.root);
  return respelledFeed && { type: "mapped", feed: respelledFeed, problem: other.problem };
}

function mapRoot(root: XmlElement): MappedFeed | undefined {
  switch (root.name) {
    case "rss":
      return mapRss(root);
    case "rdf:RDF":
      // Other RDF has no channel.
      return childOf(root, "channel") === undefined ? undefined : mapRss(root);
    case "atom:feed":
      return mapAtom(root);
    default:
      return undefined;
  }
}

function parseJsonFeed(text: string, url: string): Mapping {
  if (hasTooManyContainers(text)) return feedTooLarge;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return endsEarly(error.message, text)
      ? truncatedFeed(error.message)
      : buildNotAFeed("not-well-formed", `The feed's JSON is broken (${error.message}).`);
  }
  if (hasTooManyItems(value)) return feedTooLarge;
  const feed = mapJsonFeed(value, url);
  return feed === undefined
    ? buildNotAFeed("unknown-format", "The URL returned JSON that is not a JSON Feed.")
    : { type: "mapped", feed };
}

/** Decides by the engine's error message whether JSON is valid up to a premature end. */
function endsEarly(message: string, text: string): boolean {
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? message.includes("end of JSON input") : Number(position) === text.length;
}

function hasTooManyItems(value: unknown): boolean {
  const items = typeof value === "object" && value !== null && "items" in value ? value.items : undefined;
  return Array.isArray(items) && items.length > maxFeedEntries;
}

/** Decides whether any element, with any name, occurs too often in the place of an entry. */
function hasTooManyEntries(root: XmlElement): boolean {
  const parents = [root, ...[...(root.children?.values() ?? [])].flatMap(([first]) => first ?? [])];
  return parents.some(({ children }) =>
    [...(children?.values() ?? [])].some(({ length }) => length > maxFeedEntries),
  );
}

const feedTooLarge: NotAFeed = buildNotAFeed(
  "too-large",
  `The feed has more than ${maxFeedEntries.toLocaleString("en")} entries, or too many elements in them.`,
);

function truncatedFeed(problem: string): NotAFeed {
  return buildNotAFeed("truncated", `The feed is truncated (${problem}).`);
}
